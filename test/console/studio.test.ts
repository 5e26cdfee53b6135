import t from 'tap';
import { removeAddress } from '../../src/domain/studio/addresses.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { maxNotices } from '../../src/domain/studio/fields.js';
import { changeNotice, changeStudio } from '../../src/domain/studio/settings.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { bookingRow } from '../support/bookings.js';
import { mailOn } from '../support/codes.js';
import { newestActions, signedIn } from '../support/console.js';
import { holdForPerson } from '../support/holds.js';
import { startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t, mailOn);
const { context } = service;
const path = '/console/studio';
const studio = () => readStudio(context.database);
const original = await studio();
const ada = await signedIn(service);
const person = visitor(service);
const save = 'Save the details';

t.beforeEach(async () => {
  const { id: _, address_from: __, notices, ...texts } = original;
  await changeStudio(context, 'test', { ...texts, notices: JSON.stringify(notices) });
  await context.board.refresh();
  await ada.open(path);
});

t.test('a changed detail is audited, and on the dashboard', async (t) => {
  const website = 'https://heron.example';
  await ada.press(save, { name: 'Day Heron', country: 'de', website });
  t.equal(ada.text('[role=status]'), 'Saved. People see it now.');
  t.match(await studio(), { name: 'Day Heron', country: 'DE', website, city: original.city });
  t.match(await newestActions(service, 1), [
    { actor: /^Ada/, action: 'info set', details: { changed: ['name', 'country', 'website'] } },
  ]);
  await context.board.refresh();
  await person.open('/');
  t.match(person.text(), 'Day Heron');
});

t.test('of two people, only who changes the same detail is refused, and sees why', async (t) => {
  const grace = await signedIn(service, 'Grace');
  await grace.open(path);
  await grace.press(save, { name: 'Night Owl' });
  await ada.press(save, { city: 'Salem' });
  t.match(await studio(), { name: 'Night Owl', city: 'Salem' }, 'different details');

  await ada.open(path);
  await grace.open(path);
  await grace.press(save, { description: 'First line.\nSecond line.' });
  await ada.press(save, { description: 'Mine.', city: 'Eugene' });
  t.match(ada.text('[role=alert]'), 'The same details have changed');
  t.match(ada.text('#description-mistake'), 'Changed meanwhile to: First line.');
  t.match(await studio(), { description: 'First line.\nSecond line.', city: 'Salem' });
  t.equal(ada.$('[name=description]').val(), 'Mine.');
  t.equal(ada.$('[name=city]').val(), 'Eugene');
  await ada.press(save);
  t.match(await studio(), { description: 'Mine.', city: 'Eugene' });
});

t.test('an address from a day on asks about the sessions there, and is taken back', async (t) => {
  const held = await holdForPerson(service, { email: 'moved@example.com' });
  const from = held.slot.date;
  const sequence = async () => (await bookingRow(context, held.id)).sequence;
  await ada.press(save, { street: '7 Oak Street', address_from: '2020-01-01' });
  t.match(ada.text('#address_from-mistake'), 'Give today or a later date.');
  await ada.press(save, { address_from: from });
  t.match(ada.text('[role=alert]'), 'Nothing is saved yet.');
  t.match(ada.text('.warned'), held.slot.timeSlot);
  t.equal(await sequence(), 0);
  await ada.press(save);
  t.match(ada.text('[role=status]'), 'Saved. People see from when it counts.');
  t.equal(await sequence(), 1);
  t.equal(ada.$('[name=street]').val(), original.street, 'today’s');
  await context.board.refresh();
  await person.open(held.url);
  t.match(person.text('.facts'), /7 Oak Street.*our address from /);
  for (const page of ['/', '/book', `/book?date=${from}&time_slot=${held.slot.timeSlot}`]) {
    await person.open(page);
    t.match(person.text(), '7 Oak Street', page);
  }

  // Planned meanwhile, by somebody who had not seen this one.
  const grace = await signedIn(service, 'Grace');
  await grace.open(path);
  await ada.press('Take this address back');
  t.match(ada.text('[role=alert]'), 'Nothing is saved yet.');
  await ada.press('Take this address back');
  t.match(ada.text('[role=status]'), 'Taken back.');
  t.equal(await sequence(), 2);
  await grace.press('Take this address back');
  t.match(grace.text('[role=alert]'), 'not to come any more');
  await ada.open(path);
  const plan = { street: '8 Elm Street', address_from: from, mail: undefined };
  await grace.press(save, plan);
  await ada.press(save, { ...plan, street: '9 Fir Street' });
  t.match(ada.text('[role=alert]'), 'have changed since you opened this page');
  t.equal(await sequence(), 3, 'without a mail nobody is listed first');
  await context.board.refresh();
  await person.open(held.url);
  t.match(person.text('.facts'), '8 Elm Street');
  t.match(await newestActions(service, 1), [
    { details: { changed: ['street'], address_from: from, changed_bookings: [held.id] } },
  ]);
  await removeAddress(context, 'test', from);
  await cancelByStudio(context, 'test', held.id);
});

t.test('another time zone warns of the bookings that keep their instant', async (t) => {
  await holdForPerson(service);
  await ada.press(save, { timezone: 'america/new york' });
  t.match(ada.text('.warned'), '1 upcoming booking was made in another time zone');
  t.match(await studio(), { timezone: 'America/New_York' });
  // An alias, which `Intl` does not list.
  await ada.press(save, { timezone: 'US/Eastern' });
  t.match(await studio(), { timezone: 'US/Eastern' });
});

t.test('notices are added, changed and removed, and people see them', async (t) => {
  const held = await holdForPerson(service, { email: 'notices@example.com' });
  await ada.press('Add this notice', { title: 'Parking', text: 'In the yard.' });
  await context.board.refresh();
  await person.open(held.url);
  t.match(person.text(), 'In the yard.');

  const last = '.notice-list > li:last-child';
  const text = 'On the street.\nFree at night.';
  await ada.press('Save this notice', { text }, last);
  t.match((await studio()).notices.at(-1), { title: 'Parking', text });
  t.match(await newestActions(service, 1), [
    { actor: /^Ada/, action: 'info set', details: { changed: ['notices'] } },
  ]);
  await ada.press('Remove this notice', {}, last);
  t.strictSame((await studio()).notices, original.notices);
});

t.test('a notice that another session changed is shown and not overwritten', async (t) => {
  const [from] = original.notices;
  await changeNotice(context, 'test', { from: from!, to: { ...from!, text: 'Theirs.' } });
  await ada.press('Save this notice', { text: 'Mine.' });
  t.match(ada.text('main'), /The notice has changed since you opened this page\..*Theirs\./);
  t.equal(ada.$('details[open] [name=text]').val(), 'Mine.');
  t.match((await studio()).notices[0], { text: 'Theirs.' });
  await ada.press('Save this notice', {}, 'details[open]');
  t.match((await studio()).notices[0], { text: 'Mine.' });
});

t.test('notices have a limit', async (t) => {
  for (let number = original.notices.length; number < maxNotices; number += 1) {
    const to = { title: `No. ${number}`, text: 'x' };
    await changeNotice(context, 'test', { from: null, to });
  }
  await ada.press('Add this notice', { title: 'One more', text: 'x' });
  t.match(ada.text('[role=alert]'), 'Nothing was saved.');
  t.equal((await studio()).notices.length, maxNotices);
});

import { age } from '../../test/support/pages.js';
import { button, field, type Hand, link, text } from './hand.js';
import type { Job, Scene } from './scene.js';
import type { Studio } from './studio.js';

const digits = field('The six digits');
const confirm = button('Confirm my session');
const confirmed = text('Your session is confirmed');
const time = link(/^\d+:00 [AP]M on .*December (8|9|10|11)\b/);
const laterTime = link(/^\d+:00 [AP]M on .*December (15|16|17|18)\b/);

/** Chooses artist and time, and types the details. */
async function hold(hand: Hand, name: string): Promise<void> {
  await hand.tap(link('Mara'));
  await hand.tap(time);
  await hand.type(field('Your name'), name);
  await hand.type(field('Your e-mail address'), `${name.toLowerCase()}@example.com`);
  await hand.type(field('Your phone number'), `50355560${name.length}${name.charCodeAt(0) % 10}`);
  await hand.tap(button('Hold this time'));
}

/** Asks for a code; resolves with its digits. */
async function askForCode({ mailbox }: Studio, hand: Hand, name: string): Promise<string> {
  const mailed = mailbox.nextCode(name, AbortSignal.timeout(20_000));
  await hand.tap(button('Send me the code'));
  return mailed;
}

/** A client of a held time, to whom a code was mailed. */
async function holdWithCode({ studio, atHome }: Scene, name: string) {
  const hand = await atHome();
  await hand.open(`${studio.url}/book`);
  await hold(hand, name);
  return { hand, code: await askForCode(studio, hand, name) };
}

/** The jobs of clients, and what must hold while they are done. */
export const clientJobs: Job[] = [
  {
    number: 15,
    title: 'a client',
    async run({ studio, atHome, part }) {
      const hand = await atHome();
      await hand.open(`${studio.url}/book`);
      const path =
        'Mara, a time, three fields, Hold this time, Send me the code, Confirm my session.';
      await part(hand, ['chooses artist and time, details, code', '7', path], async () => {
        await hold(hand, 'Robin');
        await hand.type(digits, await askForCode(studio, hand, 'Robin'));
        await hand.tap(confirm);
        await hand.see(confirmed);
      });
      await part(hand, ['calendar', '–', 'Add to my calendar.'], () =>
        hand.download(link('Add to my calendar')),
      );
      const move = 'Move to another time, a time, Move to this time.';
      await part(hand, ['moves', '3', move], async () => {
        await hand.tap(link('Move to another time'));
        await hand.tap(laterTime);
        await hand.tap(button('Move to this time'));
        await hand.see(text(/^It has been moved/));
      });
      await part(hand, ['cancels', '2', 'I cannot come, Cancel my session.'], async () => {
        await hand.tap(button('I cannot come'));
        await hand.tap(button('Cancel my session'));
        await hand.see(text('This session is cancelled'));
      });
    },
  },
  {
    number: 16,
    title: 'the hold lapsed while typing',
    async run(scene) {
      const { hand, code } = await holdWithCode(scene, 'Lapse');
      await hand.type(digits, code);
      await age(scene.studio, (await scene.studio.bookingOf('Lapse')).id, 900);
      await hand.tap(confirm);
      await scene.part(hand, ['', '1', 'Hold it again: the details are kept.'], async () => {
        await hand.tap(button('Hold it again'));
        await hand.see(text('This time is held for you'));
      });
    },
  },
  {
    number: 17,
    title: 'two tabs',
    async run(scene) {
      const { studio, atConsole, tabOf, part } = scene;
      const { hand, code } = await holdWithCode(scene, 'Twice');
      const other = await tabOf(hand);
      await other.open(hand.page.url());
      for (const tab of [other, hand]) await tab.type(digits, code);
      await hand.tap(confirm);
      await hand.see(confirmed);
      const late = 'Confirm in the other tab, too: it shows the session.';
      await part(other, ['a client confirms in both', '–', late], async () => {
        // The page may notice it by itself, and reload before the press.
        await other.tap(confirm).catch(() => undefined);
        await other.see(confirmed);
      });

      const { id } = await studio.bookingOf('Twice');
      const owner = await atConsole();
      const second = await tabOf(owner);
      for (const [index, tab] of [owner, second].entries()) {
        await tab.open(`${studio.url}/console/bookings/${id}/correct`);
        await tab.type(field('Phone'), `503555610${index}`);
      }
      await owner.tap(button('Save the corrections'));
      const path = 'The second correction is not saved, and both are shown.';
      await part(second, ['the owner corrects in both', '–', path], async () => {
        await second.tap(button('Save the corrections'));
        await second.see(text(/changed/));
        const { phone } = await studio.bookingOf('Twice');
        if (phone !== '5035556100') throw new Error(`overwritten by ${phone}`);
      });
    },
  },
  {
    number: 18,
    title: 'back and forward after a wrong code',
    async run(scene) {
      const { hand, code } = await holdWithCode(scene, 'Back');
      const path = 'Back and Forward show the field again; the right code confirms.';
      await scene.part(hand, ['', 'a browser error', path], async () => {
        await hand.type(digits, String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
        await hand.tap(confirm);
        await hand.see(digits);
        await hand.page.goBack();
        await hand.see(digits);
        await hand.page.goForward();
        await hand.type(digits, code);
        await hand.tap(confirm);
        await hand.see(confirmed);
      });
    },
  },
  {
    number: 19,
    title: 'the frame on a website',
    async run({ studio, atHome, part }) {
      const hand = await atHome();
      await hand.open(studio.websiteUrl);
      const path = 'As in 15: Hold this time leaves the frame for the page that confirms.';
      await part(hand, ['', '–', path], async () => {
        await hand.enterFrame();
        await hold(hand, 'Frame');
        await hand.type(digits, await askForCode(studio, hand, 'Frame'));
        await hand.tap(confirm);
        await hand.see(confirmed);
      });
    },
  },
];

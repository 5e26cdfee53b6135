import t from 'tap';
import { bookingLabel } from '../../src/calendar/slot-label.js';
import { slotStartsAt } from '../../src/calendar/slots.js';
import { renderMail } from '../../src/mail/render.js';
import { bookingFacts, mailFacts, mailNames, readCalendarPart } from '../support/mails.js';

void t.test('an invitation is a REQUEST of the studio to the person', async (t) => {
  const facts = bookingFacts('person-confirmation');
  const { calendar } = await renderMail(facts);
  t.equal(calendar?.method, 'REQUEST');
  const { root, component, event } = readCalendarPart(calendar!.content);
  t.equal(root.getFirstPropertyValue('method'), 'REQUEST');
  t.equal(event.uid, facts.booking.id);
  t.equal(event.sequence, 1);
  t.equal(component.getFirstPropertyValue('status'), 'CONFIRMED');
  t.equal(String(component.getFirstPropertyValue('dtstamp')), '2026-11-22T18:30:00Z');
  t.equal(String(component.getFirstPropertyValue('last-modified')), '2026-11-22T18:30:00Z');

  const organizer = component.getFirstProperty('organizer')!;
  t.equal(String(organizer.getFirstValue()), 'mailto:booking@nightheron.example');
  t.equal(organizer.getParameter('cn'), 'Night Heron');
  const attendees = component.getAllProperties('attendee');
  t.equal(attendees.length, 1);
  const [attendee] = attendees;
  t.match(String(attendee!.getFirstValue()), /^mailto:ada@example\.com$/i);
  const parameters = ['cn', 'partstat', 'rsvp', 'role'].map((name) => attendee!.getParameter(name));
  t.strictSame(parameters, ['Ada Example', 'ACCEPTED', 'FALSE', 'REQ-PARTICIPANT']);
});

void t.test(
  'a move and a cancellation have the UID of the invitation, and their own sequence',
  async (t) => {
    const parts = [
      ['person-move-by-studio', 'REQUEST', 'CONFIRMED'],
      ['person-cancellation-by-studio', 'CANCEL', 'CANCELLED'],
    ] as const;
    for (const [name, method, status] of parts) {
      const facts = bookingFacts(name);
      facts.event.sequence = 7;
      const { calendar } = await renderMail(facts);
      t.equal(calendar?.method, method);
      const { root, component, event } = readCalendarPart(calendar!.content);
      t.equal(root.getFirstPropertyValue('method'), method);
      t.equal(event.uid, facts.booking.id);
      t.equal(event.sequence, 7);
      t.equal(component.getFirstPropertyValue('status'), status);
      t.equal(component.getAllProperties('attendee').length, 1);
    }
  },
);

void t.test(
  'no calendar part contains the link of the page, as calendars are shared',
  async (t) => {
    for (const name of mailNames) {
      const { calendar } = await renderMail(mailFacts(name));
      const unfolded = calendar?.content.replaceAll('\r\n ', '') ?? '';
      t.notMatch(unfolded, /https?:|example-of-a-secret|checkout\/[^/]/, name);
    }
    t.equal((await renderMail(mailFacts('person-reminder'))).calendar, null);
  },
);

void t.test(
  'the time is right in every zone, around both changes of daylight saving',
  async (t) => {
    const zones: Record<string, string[]> = {
      'America/Los_Angeles': ['2027-03-13', '2027-03-14', '2027-11-06', '2027-11-07'],
      'Europe/London': ['2027-03-27', '2027-03-28', '2027-10-30', '2027-10-31'],
      'Australia/Lord_Howe': ['2027-04-03', '2027-04-04', '2027-10-02', '2027-10-03'],
      'Asia/Kathmandu': ['2027-02-02'],
      UTC: ['2027-02-02'],
    };
    for (const [timezone, dates] of Object.entries(zones)) {
      for (const date of dates) {
        const start = slotStartsAt(timezone, date, '9:00 AM');
        const label = bookingLabel({ date, timeSlot: '9:00 AM' });
        const data = { timezone, date, label, starts_at_text: start.iso };
        // The studio may have moved to another zone since.
        const studio = { timezone: 'Asia/Tokyo' };
        const mail = await renderMail(mailFacts('person-confirmation', { data, studio }));
        const { event } = readCalendarPart(mail.calendar!.content);
        t.equal(event.startDate.toJSDate().getTime(), start.epochMs, `${timezone} ${date}`);
        t.equal(event.startDate.hour, 9, `${timezone} ${date} on the studio's clock`);
        t.match(mail.subject, '9:00 AM');
      }
    }
  },
);

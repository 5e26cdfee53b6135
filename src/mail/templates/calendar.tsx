import type { VNode } from 'preact';
import { calendarErrorWords } from '../../icalendar/calendar-reader.js';
import { zoneName } from '../../schedule/slot-label.js';
import { todayInZone } from '../../schedule/slots.js';
import { momentWords } from '../../schedule/words.js';
import type { CalendarMailFacts } from '../mail-facts.js';
import { subjectOf } from '../subject.js';
import { MailLayout } from './layout.js';
import { ButtonLink, Fact, Facts, Heading, Lead, Paragraph, Title } from './parts.js';
import { display, tone } from './style.js';

/** The mail to the studio about a watched calendar that cannot be read. It never has its address. */
export function CalendarMail(facts: CalendarMailFacts): VNode {
  const { calendar, consoleUrl, event, studio } = facts;
  const { label, failingSince, readAt, error, statusCode } = calendar;
  const { timezone } = studio;
  const today = todayInZone(timezone, event.occurredAt.getTime());
  const moment = (at: Date) =>
    `${momentWords(timezone, at.getTime(), today)}, ${zoneName(timezone, at.getTime())}`;
  const large = tone('ink', `margin:0;${display(32, 1.15)}`);
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview="Its last known busy times stay in force."
      studio={studio}
      moon="dark"
    >
      <Title>A watched calendar cannot be read</Title>
      <p class={`when ${large.class}`} style={large.style}>
        <bdi>{label}</bdi>
      </p>
      <Facts>
        <Fact term="Since" isFirst>
          {moment(failingSince)}
        </Fact>
        <Fact term="Why">{calendarErrorWords(error, statusCode)}</Fact>
        <Fact term="Last read">{readAt === null ? 'Never' : moment(readAt)}</Fact>
      </Facts>
      <Lead>
        {readAt === null
          ? 'It closes no slots until it can be read.'
          : 'Its last known busy times stay in force: what was added to it since closes no slots.'}
      </Lead>
      <Heading>What to do</Heading>
      <Paragraph>
        The service tries again every ten minutes, so a fault that passes needs nothing. Otherwise
        remove the cause. If the calendar has a new address, remove it from the watched calendars
        and add the new one: in the console, or with studio calendar watch.
      </Paragraph>
      <ButtonLink href={consoleUrl}>Open the calendars</ButtonLink>
    </MailLayout>
  );
}

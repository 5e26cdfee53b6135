import type { VNode } from 'preact';
import type { Unreadable } from '../../database/rows/calendars.js';
import { calendarErrorWords, unreadableWords } from '../../icalendar/calendar-reader.js';
import { english } from '../../locales/language.js';
import { todayInZone } from '../../schedule/slots.js';
import { momentWords, zoneName } from '../../schedule/words.js';
import type { CalendarMailFacts, MailedCalendar } from '../mail-facts.js';
import { subjectOf } from '../subject.js';
import { MailLayout } from './layout.js';
import { ButtonLink, Fact, Facts, Heading, Lead, Paragraph, Title } from './parts.js';
import { display, tone } from './style.js';

/**
 * The mail to the studio about a watched calendar that cannot be read, or only in part. It has neither
 * its address nor its content.
 */
export function CalendarMail(facts: CalendarMailFacts): VNode {
  const { calendar, consoleUrl, event, studio } = facts;
  const { label, readAt, problem } = calendar;
  const { timezone } = studio;
  const today = todayInZone(timezone, event.occurredAt.getTime());
  const moment = (at: Date) =>
    `${momentWords(timezone, at.getTime(), today)}, ${zoneName(timezone, at.getTime())}`;
  const large = tone('ink', `margin:0;${display(32, 1.15)}`);
  return (
    <MailLayout
      subject={subjectOf(english, facts)}
      preview={
        problem.kind === 'failing'
          ? 'Its last known busy times stay in force.'
          : 'Some of its events may not close the sessions that they should.'
      }
      studio={studio}
      moon="dark"
    >
      <Title>
        {problem.kind === 'failing'
          ? 'A watched calendar cannot be read'
          : 'Part of a watched calendar cannot be read'}
      </Title>
      <p class={`when ${large.class}`} style={large.style}>
        <bdi>{label}</bdi>
      </p>
      {problem.kind === 'failing' ? (
        <Failing problem={problem} readAt={readAt} moment={moment} />
      ) : (
        <InPart unreadable={problem.unreadable} />
      )}
      <ButtonLink href={consoleUrl}>Open the calendars</ButtonLink>
    </MailLayout>
  );
}

function Failing({
  problem: { since, error, statusCode },
  readAt,
  moment,
}: {
  problem: MailedCalendar['problem'] & { kind: 'failing' };
  readAt: Date | null;
  moment: (at: Date) => string;
}): VNode {
  return (
    <>
      <Facts>
        <Fact term="Since" isFirst>
          {moment(since)}
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
        and add the new one.
      </Paragraph>
    </>
  );
}

function InPart({ unreadable }: { unreadable: Unreadable }): VNode {
  return (
    <>
      <Lead>{unreadableWords(unreadable)}</Lead>
      <Paragraph>All its other events close the sessions that they overlap.</Paragraph>
      <Heading>What to do</Heading>
      <Paragraph>
        Look at the sessions around these events, and close what must be closed. Then correct the
        events in their calendar. You get this mail once, until the whole calendar can be read
        again.
      </Paragraph>
    </>
  );
}

import type { VNode } from 'preact';
import { mapLink } from '../../schedule/map-link.js';
import type { BookingMailFacts } from '../mail-facts.js';
import { formerTime, sessionTime } from '../session-time.js';
import { subjectOf } from '../subject.js';
import { Colophon, Link, MailLayout, address } from './layout.js';
import {
  Appointment,
  ButtonLink,
  Fact,
  Facts,
  Heading,
  Lead,
  Notices,
  Paragraph,
  Questions,
  Quote,
} from './parts.js';

/** The mail about a session that will take place: a confirmation, a move or a reminder. */
export function ComingMail(facts: BookingMailFacts): VNode {
  const { kind, studio, checkoutUrl, stopRemindersUrl } = facts;
  const isMove = kind === 'move' && facts.event.data.change === undefined;
  const former = isMove ? formerTime(facts) : null;
  const isAsked = asksForAnotherTime(facts);
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview={`${address(studio)}. What to know beforehand, and what to do if you cannot come.`}
      studio={studio}
      moon="full"
      footer={
        <Colophon studio={studio}>
          {kind === 'reminder' && (
            <>
              We remind you once before each session.{' '}
              <Link href={stopRemindersUrl}>Stop reminders</Link>
            </>
          )}
        </Colophon>
      }
    >
      <Appointment title={comingTitle(facts)} time={sessionTime(facts)} />
      <Facts>
        {former !== null && (
          <Fact term="Before" isFirst>
            {former}
          </Fact>
        )}
        <Fact term="Where" isFirst={former === null}>
          <bdi>{address(studio)}</bdi> <Link href={mapLink(studio)}>Open the map</Link>
        </Fact>
        {kind !== 'reminder' && (
          <Fact term="To pay">Nothing now. Booking is free, and no card is asked for.</Fact>
        )}
      </Facts>
      <Lead>{comingLead(facts)}</Lead>
      <StudioWord {...facts} />
      {kind === 'move' && facts.event.data.by === 'person' && <NotYou />}
      {checkoutUrl !== null && (
        <ButtonLink href={isAsked ? `${checkoutUrl}/move` : checkoutUrl}>
          {isAsked ? 'Choose another time' : 'Open my booking'}
        </ButtonLink>
      )}
      <Paragraph>
        {checkoutUrl === null ? 'The page on which you confirmed' : 'The page'} shows your booking.
        To move or cancel it there, you type a code that we send to this address when you ask for
        it.
      </Paragraph>
      <Notices notices={studio.notices} />
      <Heading>If you cannot come</Heading>
      <Paragraph>
        To cancel your session, open {thePage(facts)}; it also says whether you can still move the
        session. Declining the invitation in your calendar cancels nothing.
      </Paragraph>
      <Questions studio={studio} />
    </MailLayout>
  );
}

/** Whether the person is asked to choose another time, or reminded of that. */
function asksForAnotherTime({ kind, event, booking }: BookingMailFacts): boolean {
  return kind === 'reminder'
    ? booking.closed_day_choice === 'asked'
    : kind === 'move' && event.data.change === 'asked';
}

/** The studio's words about the change, or while the person is asked, about that. */
function StudioWord(facts: BookingMailFacts): VNode | null {
  const { event, booking } = facts;
  const isShown = event.data.has_word === true || asksForAnotherTime(facts);
  if (!isShown || booking.studio_word === null) return null;
  return (
    <>
      <Paragraph>A word from us:</Paragraph>
      <Quote>{booking.studio_word}</Quote>
    </>
  );
}

function comingTitle(facts: BookingMailFacts): string {
  if (asksForAnotherTime(facts)) return 'Please choose another time';
  switch (facts.kind) {
    case 'move':
      return facts.event.data.change === 'kept'
        ? 'Your session stays as booked'
        : 'Your session has moved';
    case 'reminder':
      return 'Your session is on';
    default:
      return 'Your session is confirmed';
  }
}

function comingLead(facts: BookingMailFacts): string {
  const { kind, event } = facts;
  if (asksForAnotherTime(facts)) {
    return 'We cannot be there at this time, and are sorry. Please choose another one: you can until the session would begin, and it does not count as a move of yours.';
  }
  if (kind === 'move' && event.data.change === 'kept') {
    return 'You need not choose another time after all. See you then.';
  }
  if (kind !== 'move') return 'See you then. There is nothing more to do.';
  switch (event.data.by) {
    case 'person':
      return 'You moved it to this time. See you then.';
    case 'studio':
      return 'We moved it to this time. If it does not suit you, reply to this e-mail or call us.';
    default:
      return 'It has been moved to this time. See you then.';
  }
}

export function CancelledMail(facts: BookingMailFacts): VNode {
  const { studio, bookUrl, checkoutUrl, booking, event } = facts;
  const reason = event.data.by === 'person' ? null : booking.cancellation_reason;
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview="You owe nothing. What to do if you would like another time."
      studio={studio}
      moon="dark"
      footer={<Colophon studio={studio} />}
    >
      <Appointment title="Your session is cancelled" time={sessionTime(facts)} isCancelled />
      <Lead>{cancelledLead(event.data.by)}</Lead>
      {reason !== null && (
        <>
          <Paragraph>The reason:</Paragraph>
          <Quote>{reason}</Quote>
        </>
      )}
      {event.data.by === 'person' && <NotYou />}
      <Paragraph>If your calendar still shows it as confirmed, please delete it there.</Paragraph>
      <Heading>If you would like another time</Heading>
      <Paragraph>
        See what is open and book it on our page. Or ask your assistant, or write to us.
      </Paragraph>
      <ButtonLink href={bookUrl}>Choose another time</ButtonLink>
      <Paragraph>
        {checkoutUrl === null ? (
          'The page on which you confirmed'
        ) : (
          <Link href={checkoutUrl}>The page of your booking</Link>
        )}{' '}
        stays as a record.
      </Paragraph>
      <Questions studio={studio} />
    </MailLayout>
  );
}

function cancelledLead(by: BookingMailFacts['event']['data']['by']): string {
  switch (by) {
    case 'person':
      return 'You cancelled it. The time is available to others again, and you owe nothing.';
    case 'studio':
      return 'We had to cancel it. You owe nothing.';
    default:
      return 'It will not take place, and you owe nothing.';
  }
}

function NotYou(): VNode {
  return <Paragraph>If that was not you, reply to this e-mail.</Paragraph>;
}

function thePage({ checkoutUrl }: BookingMailFacts): string {
  return checkoutUrl === null ? 'the page on which you confirmed' : 'the page of your booking';
}

import type { VNode } from 'preact';
import { addressWords, mapLink } from '../../schedule/addresses.js';
import type { BookingMailFacts } from '../mail-facts.js';
import { formerTime, type TimedMailFacts } from '../session-time.js';
import { subjectOf, wordsOfChange } from '../subject.js';
import { Colophon, Link, MailLayout } from './layout.js';
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
export function ComingMail(facts: TimedMailFacts): VNode {
  const { kind, studio, checkoutUrl, stopRemindersUrl } = facts;
  const former = facts.event.type === 'booking.moved' && kind === 'move' ? formerTime(facts) : null;
  const isAsked = facts.booking.closed_day_choice === 'asked';
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview={`${addressWords(studio)}. What to know beforehand, and what to do if you cannot come.`}
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
      <Appointment title={comingTitle(facts)} time={facts.time} />
      <Facts>
        {former !== null && (
          <Fact term="Before" isFirst>
            {former}
          </Fact>
        )}
        <Fact term="Where" isFirst={former === null}>
          <bdi>{addressWords(studio)}</bdi> <Link href={mapLink(studio)}>Open the map</Link>
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

/** The studio's words about the change; while the person is asked, also in later mails. */
function StudioWord({ kind, event, booking }: BookingMailFacts): VNode | null {
  const isOfChange = kind === 'move' && event.data.has_word === true;
  const isShown = isOfChange || booking.closed_day_choice === 'asked';
  return isShown ? <Quoted title="A word from us:">{booking.studio_word}</Quoted> : null;
}

function Quoted({ title, children }: { title: string; children: string | null }): VNode | null {
  if (children === null) return null;
  return (
    <>
      <Paragraph>{title}</Paragraph>
      <Quote>{children}</Quote>
    </>
  );
}

function comingTitle({ kind, event, booking }: BookingMailFacts): string {
  if (booking.closed_day_choice === 'asked') return 'Please choose another time';
  if (kind === 'reminder') return 'Your session is on';
  const moved = kind === 'move' ? 'Your session has moved' : 'Your session is confirmed';
  return wordsOfChange(event)?.title ?? moved;
}

function comingLead(facts: BookingMailFacts): string {
  const { kind, event, booking } = facts;
  if (booking.closed_day_choice === 'asked') return askedLead;
  if (kind === 'reminder') return seeYouThen;
  return wordsOfChange(event)?.lead ?? (kind === 'move' ? leadOf('move', facts) : seeYouThen);
}

const askedLead =
  'We cannot be there at this time, and are sorry. Please choose another one: you can until the session would begin, and it does not count as a move of yours.';

const seeYouThen = 'See you then. There is nothing more to do.';

const leads = {
  move: {
    person: 'You moved it to this time. See you then.',
    studio: 'We moved it to this time. If it does not suit you, reply to this e-mail or call us.',
    other: 'It has been moved to this time. See you then.',
  },
  cancellation: {
    person: 'You cancelled it. The time is available to others again, and you owe nothing.',
    studio: 'We had to cancel it, and are sorry. You owe nothing.',
    other: 'It will not take place, and you owe nothing.',
  },
};

function leadOf(kind: keyof typeof leads, { event }: BookingMailFacts): string {
  const { by } = event.data;
  return leads[kind][by === 'person' || by === 'studio' ? by : 'other'];
}

export function CancelledMail(facts: TimedMailFacts): VNode {
  const { studio, bookUrl, checkoutUrl, booking, event } = facts;
  const isByPerson = event.data.by === 'person';
  const reason = isByPerson ? null : booking.cancellation_reason;
  // The words to all people of a closed day are the reason.
  const word = isByPerson || booking.studio_word === reason ? null : booking.studio_word;
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview="You owe nothing. What to do if you would like another time."
      studio={studio}
      moon="dark"
      footer={<Colophon studio={studio} />}
    >
      <Appointment title="Your session is cancelled" time={facts.time} isCancelled />
      <Lead>{leadOf('cancellation', facts)}</Lead>
      <Quoted title="The reason:">{reason}</Quoted>
      <Quoted title="A word from us:">{word}</Quoted>
      {isByPerson && <NotYou />}
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

function NotYou(): VNode {
  return <Paragraph>If that was not you, reply to this e-mail.</Paragraph>;
}

function thePage({ checkoutUrl }: BookingMailFacts): string {
  return checkoutUrl === null ? 'the page on which you confirmed' : 'the page of your booking';
}

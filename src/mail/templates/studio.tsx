import type { VNode } from 'preact';
import type { Channel, ConfirmedVia } from '../../database/rows/schema.js';
import { english } from '../../locales/language.js';
import { sessionOf } from '../../schedule/times.js';
import { sessionWords } from '../../schedule/words.js';
import type { BookingMailFacts, UndecidedSession } from '../mail-facts.js';
import { formerTime, type SessionTime, type TimedMailFacts } from '../session-time.js';
import { studioSubjects, subjectOf } from '../subject.js';
import { MailLayout, PhoneLink } from './layout.js';
import {
  Appointment,
  ButtonLink,
  Fact,
  Facts,
  Heading,
  Lead,
  Paragraph,
  PersonEmail,
  PersonWords,
  Title,
} from './parts.js';

/** A mail to the studio. It never contains the checkout link, whose holder can act as the person. */
export function StudioMail(facts: TimedMailFacts): VNode {
  const { kind, studio, booking, time } = facts;
  const former = kind === 'move' ? formerTime(english, facts) : null;
  const { name, email, phone, pronouns, idea, channel, confirmed_via } = booking;
  return (
    <MailLayout
      subject={subjectOf(english, facts)}
      preview={previewOf(facts, time)}
      studio={studio}
      moon={kind === 'cancellation' ? 'dark' : 'full'}
    >
      <Appointment title={titleOf(facts)} time={time} isCancelled={kind === 'cancellation'} />
      {kind === 'conflict' && <Lead>{conflictLead}</Lead>}
      <Facts>
        <Fact term="Who" isFirst>
          {name === null ? 'The details are erased' : <PersonWords>{name}</PersonWords>}
          {pronouns !== null && (
            <>
              {' '}
              <PersonWords>{`(${pronouns})`}</PersonWords>
            </>
          )}
        </Fact>
        {former !== null && (
          <>
            <Fact term="Moved from">{former}</Fact>
            <Fact term="Moved to">{time.label}</Fact>
          </>
        )}
        {email !== null && (
          <Fact term="E-mail">
            <PersonEmail address={email} />
          </Fact>
        )}
        {phone !== null && (
          <Fact term="Phone">
            <PhoneLink phone={phone} />
          </Fact>
        )}
        {idea !== null && (
          <Fact term="Idea">
            <PersonWords isLong>{idea}</PersonWords>
          </Fact>
        )}
        {channel !== null && <Fact term="Booked">{channels[channel]}</Fact>}
        {confirmed_via !== null && <Fact term="Confirmed">{proofs[confirmed_via]}</Fact>}
      </Facts>
      {kind === 'conflict' && <ConflictAdvice {...facts} />}
      <ButtonLink href={facts.consoleUrl}>Open the booking</ButtonLink>
    </MailLayout>
  );
}

/** The sessions that a mail lists. */
const sessionsListed = 20;

/** The mail to the studio about undecided sessions on closed days. */
export function UndecidedMail(
  facts: TimedMailFacts,
  undecided: readonly UndecidedSession[],
): VNode {
  const { studio, openingHours, kind, undecidedUrl } = facts;
  const more = undecided.length - sessionsListed;
  const isNamed = undecided.some(({ artist_name: name }) => name !== null);
  const orAway = isNamed ? ', or their artist is not there' : '';
  return (
    <MailLayout
      subject={subjectOf(english, facts)}
      preview="Move them, cancel them, ask for another time, or keep them."
      studio={studio}
      moon="dark"
    >
      <Title>{undecided.length === 1 ? 'Undecided session' : 'Undecided sessions'}</Title>
      <Lead>
        {kind === 'conflict'
          ? `You closed days on which people are booked${orAway}.`
          : `You closed the day of this session${orAway}, and its reminder is due.`}
      </Lead>
      <Facts>
        {undecided.slice(0, sessionsListed).map(({ id, name, phone, ...booked }, index) => (
          <Fact key={id} term="Booked" isFirst={index === 0}>
            {sessionWords(sessionOf(booked), openingHours)}:{' '}
            <PersonWords>{name ?? 'a person'}</PersonWords>
            {phone !== null && (
              <>
                <br />
                <PhoneLink phone={phone} />
              </>
            )}
          </Fact>
        ))}
      </Facts>
      {more > 0 && <Paragraph>And {more} more.</Paragraph>}
      <Paragraph>
        Until you decide, they stay booked, and nobody is reminded of them. Move or cancel them, ask
        the people to choose another time, or come in for them.
      </Paragraph>
      <ButtonLink href={undecidedUrl}>Decide</ButtonLink>
    </MailLayout>
  );
}

const conflictLead = 'A watched calendar is busy during this session. Nothing was changed.';

function previewOf({ kind }: BookingMailFacts, { label }: SessionTime): string {
  return kind === 'conflict' ? conflictLead : label;
}

function ConflictAdvice({ booking }: BookingMailFacts): VNode {
  return (
    <>
      <Heading>What to do</Heading>
      <Paragraph>
        If both can take place, nothing: the booking stays as it is. Otherwise change the other
        event, or move or cancel the booking on its page
        {booking.email !== null && '; the person is then told by mail'}.
      </Paragraph>
    </>
  );
}

function titleOf({ kind, booking, event }: BookingMailFacts): string {
  if (kind === 'confirmation' && booking.channel === 'studio') return 'Added';
  const title = studioSubjects[kind].replace(':', '');
  const { by } = event.data;
  const isChange = kind === 'move' || kind === 'cancellation';
  return isChange && by !== undefined ? `${title} by the ${by}` : title;
}

const channels: Record<Channel, string> = {
  rest: 'By an assistant',
  mcp: 'By an assistant',
  page: 'By the person, on our pages',
  studio: 'By the studio',
};

const proofs: Record<ConfirmedVia, string> = {
  link: 'With the link',
  code: 'With a code',
  studio: 'By the studio',
};

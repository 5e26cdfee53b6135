import type { VNode } from 'preact';
import type { Channel, ConfirmedVia } from '../../database/schema.js';
import type { MailFacts } from '../mail-facts.js';
import { formerTime, sessionTime } from '../session-time.js';
import { subjectOf } from '../subject.js';
import { EmailLink, MailLayout, PhoneLink } from './layout.js';
import { Appointment, Fact, Facts, Lines } from './parts.js';

/** A mail to the studio. It never contains the checkout link, whose holder can act as the person. */
export function StudioMail(facts: MailFacts): VNode {
  const { kind, studio, booking } = facts;
  const time = sessionTime(facts);
  const former = kind === 'move' ? formerTime(facts) : null;
  const { name, email, phone, pronouns, idea, channel, confirmed_via } = booking;
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview={idea === null ? time.label : [...idea].slice(0, 100).join('')}
      studio={studio}
      moon={kind === 'cancellation' ? 'dark' : 'full'}
    >
      <Appointment title={titleOf(facts)} time={time} isCancelled={kind === 'cancellation'} />
      <Facts>
        <Fact term="Who" isFirst>
          {name === null ? 'The details are erased' : <bdi>{name}</bdi>}
          {pronouns !== null && (
            <>
              {' '}
              (<bdi>{pronouns}</bdi>)
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
            <EmailLink address={email} />
          </Fact>
        )}
        {phone !== null && (
          <Fact term="Phone">
            <PhoneLink phone={phone} />
          </Fact>
        )}
        {idea !== null && (
          <Fact term="Idea">
            <div dir="auto">
              <Lines text={idea} />
            </div>
          </Fact>
        )}
        {channel !== null && <Fact term="Channel">{channels[channel]}</Fact>}
        {confirmed_via !== null && <Fact term="Confirmed">{proofs[confirmed_via]}</Fact>}
        <Fact term="Id">{booking.id}</Fact>
      </Facts>
    </MailLayout>
  );
}

function titleOf({ kind, booking, event }: MailFacts): string {
  switch (kind) {
    case 'move':
      return event.data.by === undefined ? 'Moved' : `Moved by the ${event.data.by}`;
    case 'cancellation':
      return event.data.by === undefined ? 'Cancelled' : `Cancelled by the ${event.data.by}`;
    case 'reminder':
      return 'Reminder';
    case 'code':
      return 'Code';
    case 'confirmation':
      return booking.channel === 'studio' ? 'Added' : 'Booked';
  }
}

const channels: Record<Channel, string> = {
  rest: 'The person’s assistant, over REST',
  mcp: 'The person’s assistant, over the connector (MCP)',
  page: 'The person, on our pages',
  studio: 'Added by the studio',
};

const proofs: Record<ConfirmedVia, string> = {
  link: 'With the link',
  code: 'With a code',
  studio: 'By the studio',
};

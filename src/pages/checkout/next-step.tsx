import { Fragment, type VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { CodeStep } from '../../domain/booking/codes.js';
import type { Artist } from '../../schedule/artists.js';
import { minutesLeft } from '../../schedule/words.js';
import { AskStudio, ClockTime, WhoActs } from '../parts.js';
import { ActButton, ActionButton, Address, CodeForm, Reach, whoMayChange } from './code-form.js';
import { Cancelled, type EndedProps, Expired } from './ended-step.js';
import { MoveRules } from './move-rules.js';
import { BookAnother, CalendarDownload, Message, StudioWord } from './step-parts.js';

export interface NextStepProps extends EndedProps {
  studio: StudioRow;
  /** Milliseconds since the epoch. */
  now: number;
  codeStep: CodeStep;
  /** Whether changing a confirmed session takes a code. */
  hasMail: boolean;
  /** The artists who are free at the time of a hold, besides its own. */
  otherArtists: readonly Artist[];
  /** The status of the mail about the confirmation or the latest time; null if there is none. */
  mail: 'pending' | 'sent' | 'failed' | null;
}

/** The actions that the booking's state allows. Each is a form with one button, without scripts. */
export function NextStep(props: NextStepProps): VNode {
  switch (props.checkout.status) {
    case 'pending':
      return <Held {...props} />;
    case 'confirmed':
      return <Confirmed {...props} />;
    case 'expired':
      return <Expired {...props} />;
    case 'cancelled':
      return <Cancelled {...props} />;
  }
}

function Held(props: NextStepProps): VNode {
  const { checkout, studio, path, codeStep, otherArtists } = props;
  const { booking, move } = checkout;
  return (
    <section class="next">
      <Countdown {...props} isLead />
      <StudioWord booking={booking} />
      <WhoActs />
      {codeStep.step !== 'none' && (
        <CodeForm
          {...props}
          booking={booking}
          purpose="to confirm"
          button={<ActButton act="confirm">Confirm my session</ActButton>}
        />
      )}
      <div class="actions">
        {codeStep.step === 'none' && (
          <ActionButton act="confirm" booking={booking}>
            Confirm my session
          </ActionButton>
        )}
        {move.allowed && (
          <a class="button quiet" href={`${path}/move`}>
            Choose another time
          </a>
        )}
        <ActionButton act="release" booking={booking} quiet>
          Release this time
        </ActionButton>
      </div>
      {move.allowed && otherArtists.length > 0 && (
        <OtherArtists booking={booking} path={path} artists={otherArtists} />
      )}
      <MoveRules checkout={checkout} studio={studio} />
      <p class="fine">
        If the hold ends, nothing is lost: one button holds the time again with the same details, as
        long as nobody else has taken it.
      </p>
    </section>
  );
}

interface OtherArtistsProps {
  booking: BookingRow;
  /** The URL path of the checkout page. */
  path: string;
  artists: readonly Artist[];
}

/** Other artists who are free at the same time, as links. */
function OtherArtists({ booking, path, artists }: OtherArtistsProps): VNode {
  const { date, time_slot } = booking;
  return (
    <p>
      At the same time, you can have it with{' '}
      {artists.map(({ slug, name }, index) => (
        <Fragment key={slug}>
          {index > 0 && (index === artists.length - 1 ? ' or ' : ', ')}
          <a
            href={`${path}/move?${new URLSearchParams({ date, time_slot, artist: slug }).toString()}`}
          >
            <bdi>{name}</bdi>
          </a>
        </Fragment>
      ))}
      .
    </p>
  );
}

interface CountdownProps extends Pick<NextStepProps, 'checkout' | 'path' | 'now'> {
  isLead?: boolean;
}

/** The time left. The script counts down, and notices changes of the booking. */
export function Countdown({ checkout, path, now, isLead = false }: CountdownProps): VNode {
  const { booking } = checkout;
  const expiresAt = booking.expires_at.getTime();
  return (
    <>
      <p
        class={isLead ? 'lead' : 'fine'}
        id="hold"
        data-state={`${path}/state`}
        data-created-at={booking.created_at.getTime()}
        data-expires-at={expiresAt}
        data-sequence={booking.sequence}
        data-server-time={now}
      >
        Held for you for <span id="words">{minutesLeft(expiresAt - now)}</span>, until{' '}
        <ClockTime at={expiresAt} timezone={booking.timezone} />.
      </p>
      <p class="visually-hidden" role="status" id="announcement" />
    </>
  );
}

const askedLead = 'We cannot be there at this time, and are sorry. Please choose another time.';
const movedLead = 'It has been moved to this time. See you then.';
const movedByStudioLead =
  'It has been moved to this time, and we are sorry for the change. See you then.';
const comingLead = 'See you then. There is nothing more to do.';

/** The lead of a session that has begun. It does not say who came: only the studio knows. */
function begunLead({ isOver }: Checkout): string {
  return isOver ? 'This session is over.' : 'This session has begun.';
}

function Confirmed(props: NextStepProps): VNode {
  const { checkout, studio, path, codeStep, hasMail, mail } = props;
  if (checkout.hasStarted) {
    return (
      <Message lead={begunLead(checkout)}>
        <p>It can no longer be cancelled here. If something went wrong, write to us or call.</p>
        <BookAnother>Would you like another session?</BookAnother>
      </Message>
    );
  }
  const { confirmed_at, moved_at, closed_day_choice, studio_word } = checkout.booking;
  const canBeAsked = codeStep.step !== 'no_address';
  const canMove = checkout.move.allowed && canBeAsked;
  const hasMoved = confirmed_at !== null && moved_at !== null && moved_at > confirmed_at;
  const isAsked = closed_day_choice === 'asked';
  // A person's own move leaves no word of the studio.
  const moved = studio_word === null ? movedLead : movedByStudioLead;
  return (
    <Message lead={isAsked ? askedLead : hasMoved ? moved : comingLead}>
      <StudioWord booking={checkout.booking} />
      <div class="unprinted">
        <WhoActs />
      </div>
      <p class="actions unprinted">
        {!isAsked && (
          <a class="button" href={`${path}/calendar.ics`}>
            Add to my calendar
          </a>
        )}
        {canMove && (
          <a class={isAsked ? 'button' : 'button quiet'} href={`${path}/move`}>
            {isAsked ? 'Choose another time' : 'Move to another time'}
          </a>
        )}
      </p>
      {!isAsked && (
        <p class="fine unprinted">
          {hasMoved &&
            'If the old time is in your calendar, add it again: it replaces that entry. '}
          You can also <CalendarDownload path={path}>download the file</CalendarDownload>.
        </p>
      )}
      {mail !== null && !isAsked && (
        <NewsMail {...props} mail={mail} what={hasMoved ? 'new time' : 'confirmation'} />
      )}
      <div class="unprinted">
        {canBeAsked ? (
          <MoveRules checkout={checkout} studio={studio} />
        ) : (
          <p>
            <AskStudio studio={studio} />
          </p>
        )}
      </div>
      <p class="unprinted">
        Keep this page’s address: it shows your booking, and you change or cancel it here.{' '}
        {whoMayChange(hasMail, canBeAsked)}
      </p>
      <details class="unprinted">
        <summary>I cannot come</summary>
        <div>
          <p>
            Cancelling makes the time available to others at once.
            {canMove && (
              <>
                {' '}
                If you only want another time, <a href={`${path}/move`}>move the session</a>.
              </>
            )}
          </p>
          <CodeForm
            {...props}
            booking={checkout.booking}
            purpose="to cancel"
            button={
              <ActButton act="cancel" quiet>
                Cancel my session
              </ActButton>
            }
          />
        </div>
      </details>
    </Message>
  );
}

/** The address to which the confirmation or the new time is mailed, and whether it has been. */
function NewsMail({
  checkout: { booking },
  studio,
  mail,
  what,
}: Pick<NextStepProps, 'checkout' | 'studio'> & {
  mail: NonNullable<NextStepProps['mail']>;
  what: string;
}): VNode {
  const to = <Address booking={booking} />;
  return (
    <p class="unprinted">
      {mail === 'sent' && (
        <>
          We have mailed your {what} to {to}.
        </>
      )}
      {mail === 'pending' && (
        <>
          Your {what} is on its way to {to}.
        </>
      )}
      {mail === 'failed' && (
        <>
          The mail with your {what} to {to} could not be sent. <Reach studio={studio} />
        </>
      )}
    </p>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import type { Checkout } from '../../domain/checkout.js';
import type { CodeRefusal, CodeStep } from '../../domain/codes.js';
import type { StudioRow } from '../../repositories/studio.js';
import { minutesLeft, timeOfDay } from '../../schedule/words.js';
import { bookPath } from '../../web/book-link.js';
import { AskStudio, WhoActs } from '../parts.js';
import { CodeForm, whoMayChange } from './code-form.js';
import { MoveRules, StudioWord } from './move-rules.js';

export interface NextStepProps {
  checkout: Checkout;
  studio: StudioRow;
  /** The URL path of the page. */
  path: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** What the button that confirms, or that cancels, needs. */
  codeStep: CodeStep;
  /** Whether changing a confirmed session takes a code. */
  hasMail: boolean;
  /** Why the form that was posted is refused; null if none was. */
  refusal: CodeRefusal | null;
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
  const { checkout, studio, path, now, codeStep } = props;
  const { booking, move } = checkout;
  const expiresAt = booking.expires_at.getTime();
  return (
    <section
      class="next"
      id="hold"
      data-state={`${path}/state`}
      data-created-at={booking.created_at.getTime()}
      data-expires-at={expiresAt}
      data-sequence={booking.sequence}
      data-server-time={now}
    >
      <p class="lead">
        Held for you for <span id="words">{minutesLeft(expiresAt - now)}</span>, until{' '}
        <time dateTime={booking.expires_at.toISOString()}>
          {timeOfDay(booking.timezone, expiresAt)}
        </time>
        .
      </p>
      <WhoActs />
      {codeStep.step !== 'none' && (
        <CodeForm
          {...props}
          booking={booking}
          purpose="to confirm"
          button={
            <button name="action" value="confirm">
              Confirm my session
            </button>
          }
        />
      )}
      <div class="actions">
        {codeStep.step === 'none' && (
          <ActionButton action="confirm" sequence={booking.sequence}>
            Confirm my session
          </ActionButton>
        )}
        {move.allowed && (
          <a class="button quiet" href={`${path}/move`}>
            Choose another time
          </a>
        )}
        <ActionButton action="release" sequence={booking.sequence} quiet>
          Release this time
        </ActionButton>
      </div>
      <MoveRules checkout={checkout} studio={studio} />
      <p class="fine">
        If the hold ends, nothing is lost: one button holds the time again with the same details, as
        long as nobody else has taken it.
      </p>
      <p class="visually-hidden" role="status" id="announcement" />
    </section>
  );
}

const askedLead = 'We cannot be there at this time. Please choose another time.';
const movedLead = 'It has been moved to this time. See you then.';
const comingLead = 'See you then. There is nothing more to do.';

function Confirmed(props: NextStepProps): VNode {
  const { checkout, studio, path, codeStep, refusal, hasMail } = props;
  if (checkout.hasStarted) {
    return (
      <Message lead="This session has begun. Thank you for choosing us.">
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
  return (
    <Message lead={isAsked ? askedLead : hasMoved ? movedLead : comingLead}>
      {isAsked && <StudioWord word={studio_word} />}
      <div class="unprinted">
        <WhoActs />
      </div>
      <p class="actions unprinted">
        {!isAsked && (
          <a class="button" href={`${path}/calendar.ics`} download="session.ics">
            Add to my calendar
          </a>
        )}
        {canMove && (
          <a class={isAsked ? 'button' : 'button quiet'} href={`${path}/move`}>
            {isAsked ? 'Choose another time' : 'Move to another time'}
          </a>
        )}
      </p>
      {hasMoved && !isAsked && (
        <p class="unprinted">
          If the old time is in your calendar, add the file again: it replaces that entry.
        </p>
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
      <details class="unprinted" open={codeStep.step === 'enter' || refusal !== null}>
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
              <button name="action" value="cancel" class="quiet">
                Cancel my session
              </button>
            }
          />
        </div>
      </details>
    </Message>
  );
}

function Expired({ checkout }: NextStepProps): VNode {
  if (checkout.slotState === 'open' && checkout.booking.name !== null) {
    return (
      <Message lead="It was not confirmed in time, but the time is still open and your details are kept.">
        <WhoActs />
        <div class="actions">
          <ActionButton action="hold_again" sequence={checkout.booking.sequence}>
            Hold it again
          </ActionButton>
        </div>
        <p class="fine">It is then held again, and you confirm it on the next page.</p>
      </Message>
    );
  }
  return (
    <Message lead={whyGone(checkout)}>
      <BookAnother />
    </Message>
  );
}

function whyGone({ slotState }: Checkout): string {
  switch (slotState) {
    case 'held':
      return 'The hold ended before it was confirmed, and another person now holds this time. It may open again within minutes.';
    case 'taken':
      return 'The hold ended before it was confirmed, and another person has booked this time.';
    case 'open':
      return 'The hold ended before it was confirmed. The time is still open, but your details have been deleted.';
    default:
      return 'The hold ended before it was confirmed, and this time can no longer be booked.';
  }
}

function Cancelled({ checkout, path }: NextStepProps): VNode {
  const wasConfirmed = checkout.booking.confirmed_at !== null;
  return (
    <Message
      lead={
        wasConfirmed
          ? 'The time is available to others again, and you owe nothing.'
          : 'Nothing was booked, and you owe nothing.'
      }
    >
      {wasConfirmed && (
        <p>
          If it is in your calendar, this file{' '}
          <a href={`${path}/calendar.ics`} download="session.ics">
            marks it as cancelled there
          </a>
          .
        </p>
      )}
      <BookAnother />
    </Message>
  );
}

function BookAnother({ children }: { children?: ComponentChildren }): VNode {
  return (
    <p>
      {children ?? 'Would you like another time?'}{' '}
      <a href={bookPath}>See what is open and book it</a>. You can also ask your assistant, or write
      to us.
    </p>
  );
}

function Message({ lead, children }: { lead: string; children: ComponentChildren }): VNode {
  return (
    <section class="next">
      <p class="lead">{lead}</p>
      {children}
    </section>
  );
}

interface ActionButtonProps {
  action: 'confirm' | 'release' | 'hold_again';
  /** Sent with the form: all but `hold_again` apply only to the booking as the page shows it. */
  sequence: number;
  quiet?: boolean;
  children: string;
}

function ActionButton(props: ActionButtonProps): VNode {
  const { action, sequence, quiet = false, children } = props;
  return (
    <form method="post">
      <input type="hidden" name="sequence" value={sequence} />
      <button name="action" value={action} class={quiet ? 'quiet' : undefined}>
        {children}
      </button>
    </form>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import type { CodeRefusal, CodeStep } from '../../domain/codes.js';
import { todayInZone } from '../../schedule/slots.js';
import { momentWords, timeOfDay, unbroken } from '../../schedule/words.js';
import type { Assets } from '../../web/assets.js';
import { StudioPage } from '../../web/layout.js';
import { WhoActs } from '../parts.js';
import type { CheckoutPageProps } from './checkout-page.js';
import { Address, type CodeFormProps, Form, HasChanged, Reach, SendButton } from './code-form.js';
import { Countdown } from './next-step.js';

export interface CodePageProps extends Omit<CodeFormProps, 'codeStep'> {
  assets: Assets;
  codeStep: TypedStep;
  /** Why the form that was posted is refused; null if none was. */
  refusal: CodeRefusal | null;
  /** Whether the form was posted from a page that showed the booking as it was before a change. */
  hasChanged: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** `Your session is not cancelled yet.` */
  notYet: string;
  /** What happens when the code is right. */
  children: ComponentChildren;
  /** The links that lead away. */
  ways: ComponentChildren;
}

/** A step in which a code is sent or typed. */
export type TypedStep = Extract<CodeStep, { step: 'ask' | 'enter' }>;

export function isTyped(codeStep: CodeStep): codeStep is TypedStep {
  return codeStep.step === 'ask' || codeStep.step === 'enter';
}

/** The page where a code is typed: what is not done yet, the field, and what happens then. */
export function CodePage(props: CodePageProps): VNode {
  const { assets, studio, codeStep, refusal, booking, purpose, notYet } = props;
  const title =
    codeStep.step === 'enter' ? `Type the code ${purpose}` : `You need a code ${purpose}`;
  return (
    <StudioPage
      studio={studio}
      assets={assets}
      title={title}
      kind="code-page"
      // That of a hold also counts down.
      script={booking.status === 'pending' ? 'checkout.js' : 'code.js'}
    >
      <main class="next">
        <h1>{title}</h1>
        {refusal !== null && (
          <p class="trouble" role="alert" id="code-trouble">
            {refusalWords(refusal, props)}
          </p>
        )}
        {props.hasChanged && <HasChanged booking={booking} />}
        <p class="lead">
          {notYet}{' '}
          {codeStep.step === 'enter' ? (
            <>
              We sent six digits to <Address booking={booking} /> at{' '}
              {timeOfDay(booking.timezone, codeStep.sentAt.getTime())}.
            </>
          ) : (
            <>
              We send six digits to <Address booking={booking} />, and you type them here.
            </>
          )}
        </p>
        {codeStep.step === 'enter' ? (
          <Enter {...props} codeStep={codeStep} />
        ) : (
          <>
            <div class="code">
              <WhoActs />
              <SendButton {...props}>Send me the code</SendButton>
            </div>
            {props.children}
          </>
        )}
        <p class="actions">{props.ways}</p>
      </main>
    </StudioPage>
  );
}

/** The page where a hold is confirmed, or a session cancelled, with a code. */
export function CheckoutCodePage(props: CheckoutPageProps & { codeStep: TypedStep }): VNode {
  const { checkout, path, now } = props;
  const { booking } = checkout;
  if (checkout.status === 'pending') {
    return (
      <CodePage
        {...props}
        booking={booking}
        purpose="to confirm your session"
        notYet="Your session is not confirmed yet."
        button={
          <button name="action" value="confirm">
            Confirm my session
          </button>
        }
        ways={<a href={path}>Back to my booking</a>}
      >
        <p>
          When the digits are right, your session on {unbroken(booking.label)} is confirmed, and we
          mail you the confirmation.
        </p>
        <Countdown checkout={checkout} path={path} now={now} />
      </CodePage>
    );
  }
  return (
    <CodePage
      {...props}
      booking={booking}
      purpose="to cancel your session"
      notYet="Your session is not cancelled yet."
      button={
        <button name="action" value="cancel">
          Cancel my session
        </button>
      }
      ways={<a href={path}>Keep my session</a>}
    >
      <p>
        When the digits are right, your session on {unbroken(booking.label)} is cancelled, and the
        time becomes available to others at once. We mail you that it is cancelled.
      </p>
    </CodePage>
  );
}

function Enter(props: CodePageProps & { codeStep: Extract<CodeStep, { step: 'enter' }> }): VNode {
  const { codeStep, refusal, booking, button } = props;
  return (
    <div class="code">
      {codeStep.hasFailed && (
        <p class="trouble">
          The mail with your code could not be sent. <Reach {...props} />
        </p>
      )}
      <Form {...props}>
        <label for="code">The six digits</label>
        <input
          id="code"
          name="code"
          type="text"
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="\s*\d{3}\s?\d{3}\s*"
          maxLength={9}
          title="Six digits"
          required
          autoFocus
          aria-describedby={refusal === null ? 'code-until' : 'code-trouble code-until'}
          aria-invalid={refusal?.outcome === 'code_invalid' ? 'true' : undefined}
        />
        <p class="fine" id="code-until">
          The code is valid in this browser until{' '}
          {timeOfDay(booking.timezone, codeStep.lapsesAt.getTime())}.
        </p>
        {props.children}
        <WhoActs />
        {button}
      </Form>
      <details>
        <summary>No mail has come</summary>
        <div>
          <p>
            It takes a minute at most. Look among the spam, too. A new code makes the one before
            invalid.
          </p>
          <SendButton {...props} quiet>
            Send me a new code
          </SendButton>
          <p>{wrongAddressWords(booking)}</p>
        </div>
      </details>
    </div>
  );
}

function wrongAddressWords({ status }: BookingRow): string {
  return status === 'pending'
    ? 'If the address is wrong, it cannot be corrected here: release this time, and hold it anew with the right address.'
    : 'If the address is wrong, it cannot be corrected here: write to us or call.';
}

type Moment = Pick<CodePageProps, 'booking' | 'now'>;

function refusalWords(refusal: CodeRefusal, props: Moment): string {
  switch (refusal.outcome) {
    case 'code_exhausted':
      return exhaustedWords(refusal, props);
    case 'code_missing':
      return 'No code is valid in this browser: each is typed where it was asked for, within 10 minutes. Nothing has changed. Ask for a new one.';
    case 'code_invalid':
      return invalidWords(refusal.triesLeft);
  }
}

const exhaustedReasons = {
  booking: 'No more codes are sent for this booking for now.',
  network: 'Too many codes were asked for from your internet connection.',
  studio: 'More codes were asked for than we send in an hour.',
};

function exhaustedWords(
  { of, retryAfterSeconds }: Extract<CodeRefusal, { outcome: 'code_exhausted' }>,
  props: Moment,
): string {
  const until = momentOf(props, props.now + retryAfterSeconds * 1000);
  const reason = exhaustedReasons[of];
  return `${reason} The next one can be sent ${until}. One that we sent to this browser is valid until its time is over; if you cannot find it, write to us or call.`;
}

function invalidWords(triesLeft: number | null): string {
  if (triesLeft === null) return 'Type the six digits of the code. Nothing has changed.';
  if (triesLeft === 0) {
    return 'These are not the digits of your newest code, and it cannot be typed again. Nothing has changed. Ask for a new one.';
  }
  const left = triesLeft === 1 ? 'once more' : `${triesLeft} more times`;
  return `These are not the digits of your newest code. Nothing has changed. You can type it ${left}.`;
}

/** `at 3:15 PM`, or with the day if it is another. */
function momentOf({ booking: { timezone }, now }: Moment, atMs: number): string {
  const today = todayInZone(timezone, now);
  return todayInZone(timezone, atMs) === today
    ? `at ${timeOfDay(timezone, atMs)}`
    : `on ${momentWords(timezone, atMs, today)}`;
}

import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { CodeRefusal, CodeStep } from '../../domain/booking/codes.js';
import { todayInZone } from '../../schedule/slots.js';
import { momentWords } from '../../schedule/words.js';
import type { Assets } from '../../web/assets.js';
import { StudioPage } from '../../web/layout.js';
import { BookingTime, ClockTime, WhoActs } from '../parts.js';
import type { CheckoutPageProps } from './checkout-page.js';
import {
  ActButton,
  ActionButton,
  Address,
  type CodeFormProps,
  Form,
  HasChanged,
  Reach,
} from './code-form.js';
import { Countdown } from './next-step.js';

export interface CodePageProps extends Omit<CodeFormProps, 'codeStep'> {
  assets: Assets;
  codeStep: TypedStep;
  /** Why the posted form is refused; null if none was posted. */
  refusal: CodeRefusal | null;
  /** Whether the form was posted from a page that is out of date. */
  hasChanged: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** `Your session is not cancelled yet.` */
  notYet: string;
  /** The consequence of a right code. */
  children: ComponentChildren;
  /** The links to other pages. */
  ways: ComponentChildren;
}

/** A step in which a code is sent or typed. */
export type TypedStep = Extract<CodeStep, { step: 'ask' | 'enter' }>;

export function isTyped(codeStep: CodeStep): codeStep is TypedStep {
  return codeStep.step === 'ask' || codeStep.step === 'enter';
}

/** The page where a code is typed: what is not done yet, the field, and the consequence. */
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
      // The page of a hold also counts down.
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
              <ClockTime at={codeStep.sentAt.getTime()} timezone={booking.timezone} />.
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
              <ActionButton {...props} act="send_code">
                Send me the code
              </ActionButton>
            </div>
            {props.children}
          </>
        )}
        <p class="actions">{props.ways}</p>
      </main>
    </StudioPage>
  );
}

const acts = {
  confirm: {
    purpose: 'to confirm your session',
    notYet: 'Your session is not confirmed yet.',
    label: 'Confirm my session',
    away: 'Back to my booking',
    follows: 'is confirmed, and we mail you the confirmation.',
  },
  cancel: {
    purpose: 'to cancel your session',
    notYet: 'Your session is not cancelled yet.',
    label: 'Cancel my session',
    away: 'Keep my session',
    follows:
      'is cancelled, and the time becomes available to others at once. We mail you that it is cancelled.',
  },
};

/** The page where a hold is confirmed, or a session cancelled, with a code. */
export function CheckoutCodePage(props: CheckoutPageProps & { codeStep: TypedStep }): VNode {
  const { checkout, path } = props;
  const { booking, status } = checkout;
  const action = status === 'pending' ? 'confirm' : 'cancel';
  const { label, away, follows, ...words } = acts[action];
  return (
    <CodePage
      {...props}
      {...words}
      booking={booking}
      button={<ActButton act={action}>{label}</ActButton>}
      ways={<a href={path}>{away}</a>}
    >
      <p>
        When the digits are right, your session on <BookingTime booking={booking} /> {follows}
      </p>
      {status === 'pending' && <Countdown {...props} />}
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
          <ClockTime at={codeStep.lapsesAt.getTime()} timezone={booking.timezone} />.
          <span id="code-filled" hidden>
            {' '}
            If you paste it, or your device fills it in, it is sent at once.
          </span>
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
          <ActionButton {...props} act="send_code" quiet>
            Send me a new code
          </ActionButton>
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

function refusalWords(refusal: CodeRefusal, props: Moment): ComponentChildren {
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
  { booking: { timezone }, now }: Moment,
): VNode {
  const at = now + retryAfterSeconds * 1000;
  const today = todayInZone(timezone, now);
  const isToday = todayInZone(timezone, at) === today;
  return (
    <>
      {exhaustedReasons[of]} The next one can be sent {isToday ? 'at' : 'on'}{' '}
      <ClockTime at={at} timezone={timezone} {...(!isToday && { known: today })} />. One that we
      sent to this browser is valid until its time is over; if you cannot find it, write to us or
      call.
    </>
  );
}

function invalidWords(triesLeft: number | null): string {
  if (triesLeft === null) return 'Type the six digits of the code. Nothing has changed.';
  if (triesLeft === 0) {
    return 'These are not the digits of your newest code, and it cannot be typed again. Nothing has changed. Ask for a new one.';
  }
  const left = triesLeft === 1 ? 'once more' : `${triesLeft} more times`;
  return `These are not the digits of your newest code. Nothing has changed. You can type it ${left}.`;
}

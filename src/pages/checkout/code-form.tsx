import type { ComponentChildren, VNode } from 'preact';
import { codeLimits } from '../../config/limits.js';
import type { BookingRow } from '../../database/schema.js';
import type { CodeRefusal, CodeStep } from '../../domain/codes.js';
import type { StudioRow } from '../../repositories/studio.js';
import { todayInZone } from '../../schedule/slots.js';
import { momentWords, timeOfDay } from '../../schedule/words.js';
import { EmailLink, PhoneLink } from '../../web/layout.js';
import { ClockTime } from '../parts.js';

export interface CodeFormProps {
  codeStep: CodeStep;
  /** Why the form that was posted is refused; null if none was. */
  refusal: CodeRefusal | null;
  booking: BookingRow;
  studio: StudioRow;
  /** Milliseconds since the epoch. */
  now: number;
  /** The button that the code is for: `<button name="action" …>`. */
  button: VNode;
  /** `to confirm`: what the code is for. */
  purpose: string;
  /** The path that the forms post to; the page's own without it. */
  action?: string;
  /** Further hidden fields of the forms. */
  fields?: Record<string, string>;
}

/**
 * A button that may need a code: first there is only the button that sends one, then the field for its
 * digits with the button itself. Opening the page sends nothing.
 */
export function CodeForm(props: CodeFormProps): VNode {
  const { codeStep, refusal } = props;
  return (
    <div class="code">
      {refusal !== null && (
        <p class="trouble" role="alert" id="code-trouble">
          {refusalWords(refusal, props)}
        </p>
      )}
      {codeStep.step === 'none' && <Form {...props}>{props.button}</Form>}
      {codeStep.step === 'ask' && <Ask {...props} />}
      {codeStep.step === 'enter' && <Enter {...props} codeStep={codeStep} />}
      {codeStep.step === 'no_address' && (
        <p>
          We need a code {props.purpose}, and have no e-mail address to send it to.{' '}
          <Reach {...props} />
        </p>
      )}
    </div>
  );
}

function Ask(props: CodeFormProps): VNode {
  return (
    <>
      <p>
        We need a code {props.purpose}: we send six digits to <Address {...props} />, and you type
        them here.
      </p>
      <SendButton {...props}>Send me the code</SendButton>
    </>
  );
}

function Enter(props: CodeFormProps & { codeStep: Extract<CodeStep, { step: 'enter' }> }): VNode {
  const { codeStep, refusal, booking, button } = props;
  const time = (instant: Date) => <ClockTime at={instant.getTime()} timezone={booking.timezone} />;
  return (
    <>
      {codeStep.hasFailed && (
        <p class="trouble">
          The mail with your code could not be sent. <Reach {...props} />
        </p>
      )}
      <Form {...props}>
        <label for="code">
          The six digits that we sent to <Address {...props} /> at {time(codeStep.sentAt)}
        </label>
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
          aria-describedby={refusal === null ? 'code-until' : 'code-trouble code-until'}
          aria-invalid={refusal?.outcome === 'code_invalid' ? 'true' : undefined}
        />
        <p class="fine" id="code-until">
          The code is valid in this browser until {time(codeStep.lapsesAt)}.
        </p>
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
    </>
  );
}

function wrongAddressWords({ status }: BookingRow): string {
  return status === 'pending'
    ? 'If the address is wrong, it cannot be corrected here: release this time, and hold it anew with the right address.'
    : 'If the address is wrong, it cannot be corrected here: write to us or call.';
}

function SendButton({
  quiet = false,
  children,
  ...props
}: CodeFormProps & { quiet?: boolean; children: string }): VNode {
  return (
    <Form {...props}>
      <button name="action" value="send_code" class={quiet ? 'quiet' : undefined}>
        {children}
      </button>
    </Form>
  );
}

function Form({
  booking,
  action,
  fields = {},
  children,
}: Pick<CodeFormProps, 'booking' | 'action' | 'fields'> & { children: ComponentChildren }): VNode {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="sequence" value={booking.sequence} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

function Address({ booking }: CodeFormProps): VNode {
  return <bdi>{booking.email === null ? 'your address' : maskEmail(booking.email)}</bdi>;
}

function Reach({ studio }: Pick<CodeFormProps, 'studio'>): VNode {
  return (
    <>
      Write to <EmailLink studio={studio} /> or call <PhoneLink studio={studio} />.
    </>
  );
}

function refusalWords(refusal: CodeRefusal, props: CodeFormProps): string {
  switch (refusal.outcome) {
    case 'code_exhausted':
      return exhaustedWords(refusal, props);
    case 'code_missing':
      return 'No code is valid in this browser: each is typed where it was asked for, within 10 minutes. Nothing has changed. Ask for a new one.';
    case 'code_invalid':
      return invalidWords(refusal.triesLeft);
  }
}

function exhaustedWords(
  { of, retryAfterSeconds }: Extract<CodeRefusal, { outcome: 'code_exhausted' }>,
  props: CodeFormProps,
): string {
  const until = momentOf(props, props.now + retryAfterSeconds * 1000);
  const reason =
    of === 'studio'
      ? 'More codes were asked for than we send in an hour.'
      : `No more codes are sent for now: at most ${codeLimits.bookingOfNetworkHour} an hour for a booking, and ${codeLimits.networkHour} an hour to where you are.`;
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
function momentOf({ booking: { timezone }, now }: CodeFormProps, atMs: number): string {
  const today = todayInZone(timezone, now);
  return todayInZone(timezone, atMs) === today
    ? `at ${timeOfDay(timezone, atMs)}`
    : `on ${momentWords(timezone, atMs, today)}`;
}

/** Who else can change a confirmed session, or how the person does. */
export function whoMayChange(hasMail: boolean, canBeAsked: boolean): string {
  if (!hasMail) {
    return 'Anyone who has the address can do the same, so please keep it to yourself.';
  }
  return canBeAsked
    ? 'For that, you type a code that we send to you.'
    : 'For that, write to us or call.';
}

/**
 * Masked contact details for the checkout page: recognizable to their owner, useless to others,
 * because link previews store what a GET shows.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
}

export function maskPhone(phone: string): string {
  return `•••${phone.slice(-4)}`;
}

import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { CodeStep } from '../../domain/booking/codes.js';
import { maskEmail } from '../../schedule/words.js';
import { EmailLink, PhoneLink } from '../../web/layout.js';
import { BookingTime } from '../parts.js';

export interface CodeFormProps {
  codeStep: CodeStep;
  booking: BookingRow;
  studio: StudioRow;
  /** The `ActButton` that the code is for. */
  button: VNode;
  /** The purpose of the code: `to confirm`. */
  purpose: string;
  /** The path to which the forms post; by default the page's own. */
  action?: string;
  /** Further hidden fields of the forms. */
  fields?: Record<string, string>;
}

/**
 * A button that may need a code: then there is only a button that sends one and leads to the page for its
 * digits. Opening the page sends nothing.
 */
export function CodeForm(props: CodeFormProps): VNode {
  const { codeStep, purpose, button } = props;
  return (
    <div class="code">
      {codeStep.step === 'none' && <Form {...props}>{button}</Form>}
      {codeStep.step === 'ask' && (
        <>
          <p>
            We need a code {purpose}: we send six digits to <Address {...props} />, and you type
            them on the next page.
          </p>
          <ActionButton {...props} act="send_code">
            Send me the code
          </ActionButton>
        </>
      )}
      {codeStep.step === 'enter' && (
        <>
          <p>
            We need a code {purpose}. You have asked for one, which goes to <Address {...props} />.
          </p>
          <a class="button" href={`?${codeQuery}`}>
            Type the code
          </a>
        </>
      )}
      {codeStep.step === 'no_address' && (
        <p>
          We need a code {purpose}, and have no e-mail address to send it to. <Reach {...props} />
        </p>
      )}
    </div>
  );
}

/** The query of the page where a code is typed. */
export const codeQuery = 'step=code';

interface ActionButtonProps extends FormProps {
  act: 'send_code' | 'confirm' | 'release' | 'hold_again';
  quiet?: boolean;
  children: string;
}

/** A form that is one button. All but `hold_again` apply only to the booking as the page shows it. */
export function ActionButton({ act, quiet = false, children, ...form }: ActionButtonProps): VNode {
  return (
    <Form {...form}>
      <ActButton act={act} quiet={quiet}>
        {children}
      </ActButton>
    </Form>
  );
}

/** The button, described by the sentence of `WhoActs`. */
export function ActButton(props: { act: string; quiet?: boolean; children: string }): VNode {
  const { act, quiet, children } = props;
  return (
    <button
      name="action"
      value={act}
      class={quiet ? 'quiet' : undefined}
      aria-describedby="who-acts"
    >
      {children}
    </button>
  );
}

type FormProps = Pick<CodeFormProps, 'booking' | 'action' | 'fields'>;

export function Form({
  booking,
  action,
  fields = {},
  children,
}: FormProps & { children: ComponentChildren }): VNode {
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

export function Address({ booking }: Pick<CodeFormProps, 'booking'>): VNode {
  return <bdi>{booking.email === null ? 'your address' : maskEmail(booking.email)}</bdi>;
}

export function Reach({ studio }: Pick<CodeFormProps, 'studio'>): VNode {
  return (
    <>
      Write to <EmailLink studio={studio} /> or call <PhoneLink studio={studio} />.
    </>
  );
}

/** The note above the button of a form that was posted from a page that is out of date. */
export function HasChanged({ booking }: Pick<CodeFormProps, 'booking'>): VNode {
  return (
    <p class="trouble" role="alert">
      The time, the place or the details of your booking have changed since you opened the page: it
      is on <BookingTime booking={booking} /> now. Nothing was done. Press the button again if that
      is right.
    </p>
  );
}

/** Who can change a confirmed session, or how the person does. */
export function whoMayChange(hasMail: boolean, canBeAsked: boolean): string {
  if (!hasMail) {
    return 'Anyone who has the address can do the same, so please keep it to yourself.';
  }
  return canBeAsked
    ? 'For that, you type a code that we send to you.'
    : 'For that, write to us or call.';
}

import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { CodeStep } from '../../domain/booking/codes.js';
import { useLanguage } from '../../locales/context.js';
import { maskEmail } from '../../schedule/words.js';
import { EmailLink, PhoneLink } from '../../web/layout.js';
import { BookingTime } from '../parts.js';

export interface CodeFormProps {
  codeStep: CodeStep;
  booking: BookingRow;
  studio: StudioRow;
  /** The `ActButton` that the code is for. */
  button: VNode;
  /** What the code is for. */
  act: 'confirm' | 'cancel' | 'move';
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
  const { codeStep, act, button } = props;
  const { t, rich } = useLanguage();
  const address = <Address {...props} />;
  return (
    <div class="code">
      {codeStep.step === 'none' && <Form {...props}>{button}</Form>}
      {codeStep.step === 'ask' && (
        <>
          <p>{rich(`code.ask.${act}`, { address })}</p>
          <ActionButton {...props} act="send_code">
            {t('code.send.button')}
          </ActionButton>
        </>
      )}
      {codeStep.step === 'enter' && (
        <>
          <p>{rich(`code.asked.${act}`, { address })}</p>
          <a class="button" href={`?${codeQuery}`}>
            {t('code.type.button')}
          </a>
        </>
      )}
      {codeStep.step === 'no_address' && (
        <p>
          {t(`code.no_address.${act}`)} <Reach {...props} />
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
  const { t } = useLanguage();
  return <bdi>{booking.email === null ? t('code.your_address') : maskEmail(booking.email)}</bdi>;
}

export function Reach({ studio }: Pick<CodeFormProps, 'studio'>): VNode {
  const { rich } = useLanguage();
  const [email, phone] = [<EmailLink studio={studio} />, <PhoneLink studio={studio} />];
  return <>{rich('checkout.reach', { email, phone })}</>;
}

/** The note above the button of a form that was posted from a page that is out of date. */
export function HasChanged({ booking }: Pick<CodeFormProps, 'booking'>): VNode {
  const { rich } = useLanguage();
  return (
    <p class="trouble" role="alert">
      {rich('checkout.changed', { time: <BookingTime booking={booking} /> })}
    </p>
  );
}

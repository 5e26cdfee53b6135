import type { ComponentChildren, VNode } from 'preact';
import type { CodeRefusal, CodeStep } from '../../domain/booking/codes.js';
import { useLanguage } from '../../locales/context.js';
import { todayInZone } from '../../schedule/slots.js';
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
  const { assets, studio, codeStep, refusal, booking, act } = props;
  const { t, rich } = useLanguage();
  const title = t(`code.title.${codeStep.step}.${act}`);
  const address = <Address booking={booking} />;
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
            <Refusal {...props} refusal={refusal} />
          </p>
        )}
        {props.hasChanged && <HasChanged booking={booking} />}
        <p class="lead">
          {t(`code.not_yet.${act}`)}{' '}
          {codeStep.step === 'enter'
            ? rich('code.lead.enter', {
                address,
                time: <ClockTime at={codeStep.sentAt.getTime()} timezone={booking.timezone} />,
              })
            : rich('code.lead.ask', { address })}
        </p>
        {codeStep.step === 'enter' ? (
          <Enter {...props} codeStep={codeStep} />
        ) : (
          <>
            <div class="code">
              <WhoActs />
              <ActionButton {...props} act="send_code">
                {t('code.send.button')}
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

/** The page where a hold is confirmed, or a session cancelled, with a code. */
export function CheckoutCodePage(props: CheckoutPageProps & { codeStep: TypedStep }): VNode {
  const { checkout, path } = props;
  const { booking, status } = checkout;
  const { t, rich } = useLanguage();
  const act = status === 'pending' ? 'confirm' : 'cancel';
  return (
    <CodePage
      {...props}
      act={act}
      booking={booking}
      button={<ActButton act={act}>{t(`checkout.${act}.button`)}</ActButton>}
      ways={<a href={path}>{t(act === 'confirm' ? 'checkout.back' : 'code.keep')}</a>}
    >
      <p>{rich(`code.right.${act}`, { time: <BookingTime booking={booking} /> })}</p>
      {status === 'pending' && <Countdown {...props} />}
    </CodePage>
  );
}

function Enter(props: CodePageProps & { codeStep: Extract<CodeStep, { step: 'enter' }> }): VNode {
  const { codeStep, refusal, booking, button } = props;
  const { t, rich } = useLanguage();
  const until = <ClockTime at={codeStep.lapsesAt.getTime()} timezone={booking.timezone} />;
  return (
    <div class="code">
      {codeStep.hasFailed && (
        <p class="trouble">
          {t('code.not_sent')} <Reach {...props} />
        </p>
      )}
      <Form {...props}>
        <label for="code">{t('code.field.label')}</label>
        <input
          id="code"
          name="code"
          type="text"
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="\s*\d{3}\s?\d{3}\s*"
          maxLength={9}
          title={t('code.field.title')}
          required
          autoFocus
          aria-describedby={refusal === null ? 'code-until' : 'code-trouble code-until'}
          aria-invalid={refusal?.outcome === 'code_invalid' ? 'true' : undefined}
        />
        <p class="fine" id="code-until">
          {rich('code.field.until', { time: until })}
          <span id="code-filled" hidden>
            {' '}
            {t('code.field.filled')}
          </span>
        </p>
        {props.children}
        <WhoActs />
        {button}
      </Form>
      <details>
        <summary>{t('code.no_mail.summary')}</summary>
        <div>
          <p>{t('code.no_mail')}</p>
          <ActionButton {...props} act="send_code" quiet>
            {t('code.no_mail.button')}
          </ActionButton>
          <p>{t(`code.wrong_address.${booking.status === 'pending' ? 'pending' : 'confirmed'}`)}</p>
        </div>
      </details>
    </div>
  );
}

/** Why the posted form is refused. */
function Refusal({
  refusal,
  booking: { timezone },
  now,
}: Pick<CodePageProps, 'booking' | 'now'> & { refusal: CodeRefusal }): VNode {
  const { t, rich } = useLanguage();
  if (refusal.outcome === 'code_missing') return <>{t('code.missing')}</>;
  if (refusal.outcome === 'code_invalid') {
    const { triesLeft: tries } = refusal;
    return <>{tries === null ? t('code.invalid.unreadable') : t('code.invalid', { tries })}</>;
  }
  const at = now + refusal.retryAfterSeconds * 1000;
  const today = todayInZone(timezone, now);
  const isToday = todayInZone(timezone, at) === today;
  const time = <ClockTime at={at} timezone={timezone} {...(!isToday && { known: today })} />;
  return (
    <>
      {t(`code.exhausted.${refusal.of}`)}{' '}
      {isToday
        ? rich('code.exhausted.next_today', { time })
        : rich('code.exhausted.next', { moment: time })}{' '}
      {t('code.exhausted.valid')}
    </>
  );
}

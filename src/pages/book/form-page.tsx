import type { VNode } from 'preact';
import type { Alternative } from '../../../generated/schemas.js';
import type { BookedSlot } from '../../database/rows/results.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import { personMembers } from '../../domain/booking/person.js';
import { useLanguage } from '../../locales/context.js';
import { addressWords, type DatedAddress } from '../../schedule/addresses.js';
import { isSameSlot, slotKey, slotOf } from '../../schedule/slots.js';
import { type Session, timesIn, wholeMinutes } from '../../schedule/times.js';
import type { Assets } from '../../web/assets.js';
import { linkToBook } from '../../web/book-link.js';
import { EmailLink, PhoneLink } from '../../web/layout.js';
import { mistakeWords, type PersonMistakes } from '../../web/person-form.js';
import { ActButton } from '../checkout/code-form.js';
import type { Trouble } from '../not-open.js';
import { OtherTimes } from '../other-times.js';
import { Appointment, Notices, WhoActs } from '../parts.js';
import { BookLayout, OwnHoldNote } from './book-layout.js';
import { type EmailUse, Fields } from './fields.js';
import type { TypedHold } from './hold-form.js';
import { linkToMonth, type View } from './view.js';

/** Why a posted form has placed no hold. */
export interface FormRefusal extends Trouble {
  /** Other open times; null unless the slot itself is not open. */
  alternatives: readonly Alternative[] | null;
}

export interface FormPageProps {
  assets: Assets;
  studio: StudioRow;
  /** The studio's address on the date of the slot, if it differs from today's; null otherwise. */
  newAddress: DatedAddress | null;
  /** The alternatives of a refusal. */
  alternatives: readonly BookedSlot[];
  slot: BookedSlot & Pick<Session, 'artistName'>;
  view: View;
  form: TypedHold;
  mistakes: PersonMistakes;
  refusal: FormRefusal | null;
  ownHold: Checkout | null;
  holdLifetimeSeconds: number;
  emailUse: EmailUse;
}

/** The form that holds a slot, with what was typed before. */
export function FormPage(props: FormPageProps): VNode {
  const { assets, studio, newAddress, slot, alternatives, form, mistakes, refusal, ownHold } =
    props;
  const language = useLanguage();
  const { t, rich } = language;
  const title =
    refusal?.title ?? t(Object.keys(mistakes).length > 0 ? 'form.mistakes.title' : 'form.title');
  const isOwn = ownHold?.status === 'pending' && isSameSlot(slotOf(ownHold.booking), form.slot);
  return (
    <BookLayout assets={assets} studio={studio} title={title} theme={props.view.theme}>
      <main>
        <Appointment title={title} session={slot} isGone={refusal?.alternatives != null} />
        {newAddress !== null && (
          <dl class="facts">
            <div>
              <dt>{t('checkout.where.term')}</dt>
              <dd>
                {t('form.where', {
                  address: addressWords(newAddress),
                  day: timesIn(language).longDate(newAddress.from_date),
                })}
              </dd>
            </div>
          </dl>
        )}
        {refusal !== null && (
          <div class="trouble" role="alert">
            <p>{refusal.text}</p>
          </div>
        )}
        {ownHold !== null && <OwnHoldNote ownHold={ownHold} />}
        <MistakeList mistakes={mistakes} />
        <form
          method="post"
          action="/book"
          class="person"
          noValidate
          data-address={linkToBook(form.slot, form.artist)}
        >
          <input type="hidden" name="nonce" value={form.nonce} />
          <input type="hidden" name="slot" value={slotKey(form.slot)} />
          {form.artist !== null && <input type="hidden" name="artist" value={form.artist.slug} />}
          {alternatives.length > 0 && (
            <OtherTimes
              alternatives={alternatives}
              wanted={form.slot}
              legend={t('form.other_times')}
            />
          )}
          <Fields {...props} typed={form.typed} />
          <Notices studio={studio} />
          <p class="fine">
            {t('form.terms', { minutes: wholeMinutes(props.holdLifetimeSeconds) })}
          </p>
          {ownHold?.status !== 'pending' && <WhoActs />}
          <div class="actions">
            {isOwn ? (
              <ActButton act="replace">{t('form.replace')}</ActButton>
            ) : (
              <ActButton act="hold">
                {t(alternatives.length > 0 ? 'form.hold.chosen' : 'form.hold')}
              </ActButton>
            )}
            <a
              class="button quiet"
              href={linkToMonth({ ...props.view, artist: form.artist }, slot.date)}
              target="_self"
            >
              {t('form.choose_another')}
            </a>
          </div>
          <p class="fine">
            {rich('form.questions', {
              email: <EmailLink studio={studio} />,
              phone: <PhoneLink studio={studio} />,
            })}
          </p>
        </form>
      </main>
    </BookLayout>
  );
}

/** All mistakes as links to their fields. The browser begins here. */
function MistakeList({ mistakes }: { mistakes: PersonMistakes }): VNode | null {
  const language = useLanguage();
  const wrong = personMembers.flatMap((member) => mistakes[member] ?? []);
  if (wrong.length === 0) return null;
  return (
    <div class="trouble" role="alert" aria-labelledby="mistakes" tabIndex={-1} autoFocus>
      <h2 id="mistakes">{language.t('form.mistakes', { count: wrong.length })}</h2>
      <ul>
        {wrong.map((mistake) => (
          <li key={mistake.member}>
            <a href={`#${mistake.member}`} target="_self">
              {mistakeWords(language, mistake)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

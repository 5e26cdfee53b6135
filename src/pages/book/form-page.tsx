import type { VNode } from 'preact';
import type { Alternative } from '../../../generated/schemas.js';
import type { BookedSlot } from '../../database/rows/results.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import { personMembers } from '../../domain/booking/person.js';
import { addressWords, type DatedAddress, fromWords } from '../../schedule/addresses.js';
import { isSameSlot, slotKey, slotOf } from '../../schedule/slots.js';
import { type Session } from '../../schedule/times.js';
import { minutesWords } from '../../schedule/words.js';
import type { Assets } from '../../web/assets.js';
import { linkToBook } from '../../web/book-link.js';
import { EmailLink, PhoneLink } from '../../web/layout.js';
import type { PersonMistakes } from '../../web/person-form.js';
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
  const title = titleOf(props);
  const isOwn = ownHold?.status === 'pending' && isSameSlot(slotOf(ownHold.booking), form.slot);
  return (
    <BookLayout assets={assets} studio={studio} title={title} theme={props.view.theme}>
      <main>
        <Appointment title={title} session={slot} isGone={refusal?.alternatives != null} />
        {newAddress !== null && (
          <dl class="facts">
            <div>
              <dt>Where</dt>
              <dd>
                {addressWords(newAddress)}, our address from {fromWords(newAddress)}
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
              legend="These are open. Choose one, and hold it with what you have typed."
            />
          )}
          <Fields {...props} typed={form.typed} />
          <Notices studio={studio} />
          <p class="fine">
            We hold the time for you for {minutesWords(props.holdLifetimeSeconds)}, and you confirm
            it on the next page. Booking is free.
          </p>
          {ownHold?.status !== 'pending' && <WhoActs />}
          <div class="actions">
            {isOwn ? (
              <ActButton act="replace">Let it go, and hold it with these details</ActButton>
            ) : (
              <ActButton act="hold">
                {alternatives.length > 0 ? 'Hold the time you chose' : 'Hold this time'}
              </ActButton>
            )}
            <a
              class="button quiet"
              href={linkToMonth({ ...props.view, artist: form.artist }, slot.date)}
              target="_self"
            >
              Choose another time
            </a>
          </div>
          <p class="fine">
            Questions? Write to <EmailLink studio={studio} /> or call <PhoneLink studio={studio} />.
          </p>
        </form>
      </main>
    </BookLayout>
  );
}

function titleOf({ mistakes, refusal }: FormPageProps): string {
  if (refusal !== null) return refusal.title;
  return Object.keys(mistakes).length > 0 ? 'Something needs correcting' : 'Book this time';
}

/** All mistakes as links to their fields. The browser begins here. */
function MistakeList({ mistakes }: { mistakes: PersonMistakes }): VNode | null {
  const wrong = personMembers.filter((field) => mistakes[field] !== undefined);
  if (wrong.length === 0) return null;
  return (
    <div class="trouble" role="alert" aria-labelledby="mistakes" tabIndex={-1} autoFocus>
      <h2 id="mistakes">
        {wrong.length === 1 ? 'One answer needs' : `${wrong.length} answers need`} correcting.
        Nothing is held yet.
      </h2>
      <ul>
        {wrong.map((field) => (
          <li key={field}>
            <a href={`#${field}`} target="_self">
              {mistakes[field]}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

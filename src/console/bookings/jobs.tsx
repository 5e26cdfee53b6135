import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/rows/schema.js';
import type { BookingRecord } from '../../domain/studio/booking-record.js';
import { maxNoteLength } from '../../domain/studio/correction.js';
import type { StudioSlot } from '../../domain/studio/days.js';
import { personName } from '../../domain/studio/words.js';
import { isLive } from '../../schedule/slots.js';
import { Field } from '../../web/field.js';
import { choice, form, text } from '../../web/forms.js';
import { linkToAddAgain, linkToBooking } from '../links.js';
import { PageContext } from '../moment.js';
import { FoldedForm, PostForm, Unseen } from '../parts.js';
import { CopyForms, ForgetForms } from './data-forms.js';
import { seen, seenFields } from './fields.js';
import { UndoMove } from './move-page.js';
import { WhoIsMailed } from './words.js';

/** The fields of a form that was refused, and the last change. */
export interface TypedJob {
  moved?: boolean;
  note?: string;
  reason?: string;
  word?: string;
  whose?: string;
}

export interface JobsProps {
  record: BookingRecord;
  /** The slot from which the studio moved it, while that is free. */
  former: StudioSlot | null;
  typed: TypedJob;
}

/** The possible changes of a booking. */
export function Jobs({ record, former, typed }: JobsProps): VNode {
  const { booking, status, hasBegun, checkoutUrl } = record;
  const { own } = useContext(PageContext);
  const path = linkToBooking(booking.id);
  const { name, cancellation_reason, studio_word, studio_note, client_note } = booking;
  const hasPersonalData =
    (name ?? cancellation_reason ?? studio_word ?? studio_note ?? client_note) !== null;
  return (
    <div class="jobs">
      {isLive(status) && (
        <a class="button quiet" href={`${path}/move`}>
          Move
        </a>
      )}
      {isLive(status) && booking.name !== null && (
        <a class="button quiet" href={`${path}/correct`}>
          Correct
        </a>
      )}
      {booking.name !== null && (
        <a class="button quiet" href={linkToAddAgain(booking.id)}>
          Book again
        </a>
      )}
      {status === 'confirmed' && hasBegun && <NoShowForm booking={booking} />}
      {former !== null && <UndoMove record={record} to={former} isOpen={typed.moved === true} />}
      {isLive(status) && <CancelForm record={record} typed={typed} />}
      {booking.name !== null && <NoteForm booking={booking} typed={typed.note} />}
      {checkoutUrl !== null && <PersonsPage url={checkoutUrl} />}
      {own === null && <CopyForms booking={booking} />}
      {own === null && hasPersonalData && (
        <ForgetForms client={record.client} isOpen={typed.whose !== undefined} />
      )}
    </div>
  );
}

export const noShowSchema = form({
  ...seen,
  undo: Type.Optional(choice('yes')),
  back: Type.Optional(choice('day')),
  artist: Type.Optional(text),
});

export interface NoShowFormProps {
  booking: BookingRow;
  /** Whether it is on the page of its day, to which the form then leads back. */
  isOnDay?: boolean;
  /** The artist of that page, as `linkToDay` names them. */
  artist?: string | null;
}

/** A button that records that the person did not come, or takes that back. */
export function NoShowForm({ booking, isOnDay = false, artist = null }: NoShowFormProps): VNode {
  const isMissed = booking.no_show_at !== null;
  const hidden = {
    ...seenFields(booking),
    ...(isMissed && { undo: 'yes' }),
    ...(isOnDay && { back: 'day' }),
    ...(artist !== null && { artist }),
  };
  return (
    <PostForm action={`${linkToBooking(booking.id)}/no-show`} hidden={hidden}>
      <button class={isOnDay ? 'quiet small' : 'quiet'}>
        {isMissed ? 'Undo no-show' : 'No-show'}
        {isOnDay && (
          <Unseen>
            {' '}
            of <bdi>{personName(booking)}</bdi>
          </Unseen>
        )}
      </button>
    </PostForm>
  );
}

export const cancelSchema = form({ ...seen, reason: text, word: Type.Optional(text) });

function CancelForm({ record, typed }: Omit<JobsProps, 'former'>): VNode {
  const { booking } = record;
  const { reason, word = '' } = typed;
  return (
    <FoldedForm
      label="Cancel"
      isLarge
      isOpen={reason !== undefined}
      action={`${linkToBooking(booking.id)}/cancel`}
      hidden={seenFields(booking)}
    >
      <Field
        name="reason"
        label="Reason"
        hint="In the mail to the person."
        optional
        rows={3}
        value={reason ?? ''}
      />
      <Field
        name="word"
        label="A line for their page"
        hint="Shown on the page and in the mail. Anybody who has the link can read it."
        optional
        rows={2}
        value={word}
      />
      <WhoIsMailed record={record} />
      <button>Cancel this booking</button>
    </FoldedForm>
  );
}

function PersonsPage({ url }: { url: string }): VNode {
  return (
    <details>
      <summary class="button quiet">Link for the person…</summary>
      <div>
        <p>
          It opens the booking’s page, where the person confirms, moves and cancels. Give it to the
          person, and to nobody else.
        </p>
        <code class="secret">{url}</code>
      </div>
    </details>
  );
}

interface NoteFormProps {
  booking: BookingRow;
  /** In a form that was refused. */
  typed: string | undefined;
}

/** The studio's note about a booking. */
function NoteForm({ booking, typed }: NoteFormProps): VNode {
  const note = booking.studio_note ?? '';
  return (
    <FoldedForm
      label={note === '' ? 'Add a note' : 'Change the note'}
      isLarge
      isOpen={typed !== undefined}
      action={`${linkToBooking(booking.id)}/note`}
      hidden={{ seen_note: note }}
    >
      <Field
        name="note"
        label="Note"
        hint={`Only the studio reads it. It is erased with the person’s data. At most ${maxNoteLength.toLocaleString('en-US')} characters.`}
        optional
        rows={4}
        value={typed ?? note}
      />
      <button>Save the note</button>
    </FoldedForm>
  );
}

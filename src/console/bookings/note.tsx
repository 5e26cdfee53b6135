import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import { maxNoteLength, noteBooking } from '../../domain/booking-note.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { Field } from '../../web/field.js';
import { form, type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { PostForm } from '../form.js';
import { linkAfter, linkToBooking } from '../links.js';
import { idInPath } from '../pages.js';
import { actorOf } from '../session.js';
import { noteChanged, nothingToErase, textTooLong } from './refusals.js';
import type { BookingPages } from './show-booking.js';

const noteSchema = form({ note: text, seen_note: text });

export interface NoteFormProps {
  booking: BookingRow;
  /** In a form that was refused. */
  typed: string | undefined;
}

/** The studio's note about a booking. */
export function NoteForm({ booking, typed }: NoteFormProps): VNode {
  const note = booking.studio_note ?? '';
  return (
    <details open={typed !== undefined}>
      <summary class="button quiet">{note === '' ? 'Add a note…' : 'Change the note…'}</summary>
      <PostForm action={`${linkToBooking(booking.id)}/note`} hidden={{ seen_note: note }}>
        <Field
          name="note"
          label="Note"
          hint={`Only the studio reads it. It is erased with the person’s data. At most ${maxNoteLength.toLocaleString('en-US')} characters.`}
          optional
          rows={4}
          value={typed ?? note}
        />
        <button>Save the note</button>
      </PostForm>
    </details>
  );
}

/** `/console/bookings/:id/note`. */
export function registerNotes(
  scope: PageScope,
  context: DomainServices,
  pages: BookingPages,
): void {
  const noting = { schema: { ...idInPath, ...noteSchema } };
  scope.post(
    '/console/bookings/:id/note',
    noting,
    async (request, reply): Promise<FastifyReply> => {
      const { params, body } = request;
      const note = body.note.trim();
      const refuse = (trouble: string, status = 409) =>
        pages.refuse(request, reply, { status, trouble, typed: { note } });
      const { length } = [...note];
      if (length > maxNoteLength) return refuse(textTooLong('note', length, maxNoteLength), 400);
      const seen = body.seen_note || null;
      switch (await noteBooking(context, actorOf(request), params.id, note || null, seen)) {
        case 'saved':
        case 'unchanged':
          return seeOther(reply, linkAfter('noted', params.id));
        case 'changed':
          return refuse(noteChanged);
        case 'erased':
          return refuse(nothingToErase);
        case 'not_found':
          throw new ServiceError('not_found');
      }
    },
  );
}

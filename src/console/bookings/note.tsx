import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import { maxNoteLength } from '../../domain/correction.js';
import { Field } from '../../web/field.js';
import { form, text } from '../../web/forms.js';
import { PostForm } from '../form.js';
import { linkToBooking } from '../links.js';

export const noteSchema = form({ note: text, seen_note: text });

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

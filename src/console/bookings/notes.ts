import type { Static } from '@sinclair/typebox';
import type { DomainServices } from '../../domain/deps.js';
import type { noteBooking } from '../../domain/studio/clients.js';
import { maxNoteLength } from '../../domain/studio/correction.js';
import { ServiceError } from '../../errors.js';
import { form, type RequestWith, text } from '../../web/forms.js';
import type { Outcome } from '../console-page.js';
import { actorOf } from '../session.js';
import { refusals, textTooLong } from './words.js';

export const noteSchema = form({ note: text, seen_note: text });

/** Saves a note as typed. Null once it is saved; else why it is not. Throws `not_found`. */
export async function saveNote(
  context: DomainServices,
  request: RequestWith<{ params: { id: string }; body: Static<typeof noteSchema.body> }>,
  save: typeof noteBooking,
): Promise<(Outcome & { note: string }) | null> {
  const { params, body, consoleArtist } = request;
  const note = body.note.trim();
  const tooLong = textTooLong('note', note, maxNoteLength);
  if (tooLong !== null) return { note, status: 400, trouble: tooLong };
  const given = { note, seen: body.seen_note, artistId: consoleArtist?.id };
  const noted = await save(context, actorOf(request), params.id, given);
  if (noted === 'not_found') throw new ServiceError('not_found');
  if (noted === 'saved' || noted === 'unchanged') return null;
  return { note, trouble: refusals[noted === 'erased' ? 'erased' : 'note_changed'] };
}

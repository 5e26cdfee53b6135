import { randomUUID } from 'node:crypto';
import type { HoldRequest } from '../../../generated/schemas.js';
import { personMembers } from '../../domain/person.js';
import { isUuid } from '../../platform/uuid.js';
import type { Slot } from '../../schedule/slots.js';
import { formRefused, readSlotKey } from '../../web/form-fields.js';
import type { TypedPerson } from '../../web/person-form.js';

export interface HoldForm {
  /** Random: it tells a form that is sent twice from another one with the same content. */
  nonce: string;
  slot: Slot;
  typed: TypedPerson;
}

export function emptyForm(slot: Slot): HoldForm {
  const typed = { name: '', email: '', phone: '', pronouns: '', idea: '' };
  return { nonce: randomUUID(), slot, typed };
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readHoldForm(fields: Record<string, unknown>): HoldForm {
  const { nonce } = fields;
  // Where the form offers other times, the one that was chosen follows the one that was taken.
  const slot = readSlotKey([fields['slot']].flat().at(-1));
  const isComplete = personMembers.every((field) => typeof fields[field] === 'string');
  if (typeof nonce !== 'string' || !isUuid(nonce) || slot === null || !isComplete) {
    throw formRefused();
  }
  const { name, email, phone, pronouns, idea } = fields as TypedPerson;
  // Browsers send line breaks as CR LF.
  return {
    nonce,
    slot,
    typed: { name, email, phone, pronouns, idea: idea.replace(/\r\n/g, '\n') },
  };
}

/** The form as a hold request: all texts trimmed, the optional ones null where nothing was typed. */
export function holdRequestOf({ slot, typed }: HoldForm): HoldRequest {
  const { name, email, phone, pronouns, idea } = typed;
  return {
    date: slot.date,
    time_slot: slot.timeSlot,
    name: name.trim(),
    email: email.trim(),
    phone: phone.trim(),
    pronouns: pronouns.trim() || null,
    idea: idea.trim() || null,
  };
}

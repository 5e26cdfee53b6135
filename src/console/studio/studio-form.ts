import { isSameText, studioFields, type StudioMember } from '../../domain/studio-fields.js';
import type { SeenStudio } from '../../domain/studio-settings.js';
import { formRefused, type Fields } from '../../web/form-fields.js';
import type { StudioRow } from '../../repositories/studio.js';

export type StudioTexts = Record<StudioMember, string>;
export type StudioMistakes = Partial<StudioTexts>;

export const studioMembers = Object.keys(studioFields) as readonly StudioMember[];

export interface StudioForm {
  /** The members that differ from what the page showed, as they were typed. */
  typed: SeenStudio;
  /** All members as the page showed them. */
  seen: StudioTexts;
}

/** The hidden field that says how the page showed a member. */
export function seenName(member: StudioMember): string {
  return `seen_${member}`;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readStudioForm(fields: Fields): StudioForm {
  const typed: SeenStudio = {};
  const seen: SeenStudio = {};
  for (const member of studioMembers) {
    const [text, shown] = [fields[member], fields[seenName(member)]];
    if (typeof text !== 'string' || typeof shown !== 'string') throw formRefused();
    seen[member] = shown;
    if (!isSameText(text, shown)) typed[member] = text;
  }
  return { typed, seen: seen as StudioTexts };
}

/** What was typed, as it is stored, or what is wrong with it. */
export function checkStudioForm({ typed }: StudioForm): {
  changes: SeenStudio;
  mistakes: StudioMistakes;
} {
  const changes: SeenStudio = {};
  const mistakes: StudioMistakes = {};
  for (const [key, text] of Object.entries(typed)) {
    const member = key as StudioMember;
    const checked = studioFields[member](text);
    if ('problem' in checked) mistakes[member] = checked.problem;
    else changes[member] = checked.value;
  }
  return { changes, mistakes };
}

/** The members that were typed and whose stored value has changed since the page was opened. */
export function overtakenMembers(
  { typed, seen }: StudioForm,
  studio: StudioRow,
): ReadonlySet<StudioMember> {
  return new Set(
    studioMembers.filter(
      (member) => typed[member] !== undefined && !isSameText(seen[member], studio[member]),
    ),
  );
}

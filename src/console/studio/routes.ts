import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { changeStudio, readStudioDetails, type SeenStudio } from '../../domain/studio-settings.js';
import { type Fields, formRefused } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { doneMessage, type ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import { studioPath } from '../links.js';
import { StudioPage, type StudioPageProps } from './studio-page.js';
import { isSameText, studioFields, type StudioMember } from '../../domain/studio-fields.js';
import type { StudioRow } from '../../repositories/studio.js';

interface StudioRoute {
  Body: Fields | undefined;
}

const doneMessages = {
  saved: 'Saved. People see it now.',
  unchanged: 'Nothing was changed.',
} as const;

const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const overtaken =
  'The same details have changed since you opened this page. Nothing was saved; what you typed is below.';

/** `/console/studio`: the studio's details. */
export function registerStudio(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const show = createStudioPages(context, showPage);

  scope.get(studioPath, (request, reply) => show(request, reply));

  scope.post<StudioRoute>(studioPath, async (request, reply) => {
    const form = readStudioForm(request.body ?? {});
    const { changes, mistakes } = checkStudioForm(form);
    if (Object.keys(mistakes).length > 0) {
      const refused = { form, mistakes };
      return show(request, reply, { status: 400, trouble: hasMistakes, refused });
    }
    const changed = await changeStudio(context, actorOf(request), changes, form.seen);
    if (changed.outcome === 'changed') {
      const refused = { form, mistakes };
      return show(request, reply, { status: 409, trouble: overtaken, refused });
    }
    const word = changed.changed.length === 0 ? 'unchanged' : 'saved';
    return seeOther(reply, `${studioPath}?done=${word}`);
  });
}

interface ShownStudio extends Partial<Pick<StudioPageProps, 'refused' | 'refusedNotice'>> {
  status?: number;
  trouble?: string;
}

export type ShowStudio = (
  request: FastifyRequest,
  reply: FastifyReply,
  shown?: ShownStudio,
) => Promise<FastifyReply>;

/** Shows the studio as it is now and, in the fields that were changed, what was typed. */
export function createStudioPages(context: DomainServices, showPage: ShowPage): ShowStudio {
  return async (request, reply, { status, trouble, refused, refusedNotice } = {}) =>
    showPage(request, reply, {
      ...(status !== undefined && { status }),
      section: 'studio',
      title: 'Studio',
      done: trouble === undefined ? doneMessage(request, doneMessages) : null,
      trouble,
      children: StudioPage({
        ...(await readStudioDetails(context)),
        refused: refused ?? null,
        refusedNotice: refusedNotice ?? null,
      }),
    });
}

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

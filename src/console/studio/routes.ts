import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { changeStudio, readStudioDetails } from '../../domain/studio-settings.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { studioPath } from '../links.js';
import { doneMessage, type ShowPage, showsDone } from '../pages.js';
import { actorOf } from '../session.js';
import {
  checkStudioForm,
  readStudioForm,
  studioSchema,
  StudioPage,
  type StudioPageProps,
} from './studio-page.js';

const doneMessages = {
  saved: 'Saved. People see it now.',
  unchanged: 'Nothing was changed.',
} as const;

const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const overtaken =
  'The same details have changed since you opened this page. Nothing was saved; what you typed is below.';

/** `/console/studio`: the studio's details. */
export function registerStudio(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const show = createStudioPages(context, showPage);

  scope.get(studioPath, { schema: showsDone }, (request, reply) => show(request, reply));

  scope.post(studioPath, { schema: studioSchema }, async (request, reply) => {
    const form = readStudioForm(request.body);
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

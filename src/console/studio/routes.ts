import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { removeAddress } from '../../domain/studio-addresses.js';
import { changeStudio, readStudioDetails } from '../../domain/studio-settings.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { addressesPath, studioPath } from '../links.js';
import { doneMessage, type ShowPage, showsDone } from '../pages.js';
import { actorOf } from '../session.js';
import { readTold, removeAddressSchema } from './addresses.js';
import {
  checkStudioForm,
  notLater,
  readStudioForm,
  studioSchema,
  StudioPage,
  type StudioPageProps,
} from './studio-page.js';

const doneMessages = {
  saved: 'Saved. People see it now.',
  planned: 'Saved. People see from when it counts.',
  'taken back': 'Taken back.',
  unchanged: 'Nothing was changed.',
} as const;

const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const touches =
  'Nothing is saved yet. The sessions listed below are then at another address; the people of confirmed ones get a mail. Press again if that is right.';
const gone = 'This address is not to come any more. Nothing was done.';
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
    const refuse = (
      status: number,
      trouble: string,
      refused: Partial<StudioPageProps['refused']>,
    ) =>
      show(request, reply, {
        status,
        trouble,
        refused: { form, mistakes, touched: [], ...refused },
      });
    if (Object.keys(mistakes).length > 0) return refuse(400, hasMistakes, {});
    const { from, ...told } = form.address;
    const changed = await changeStudio(context, actorOf(request), changes, form.seen, {
      ...told,
      from: from === '' ? undefined : from,
    });
    switch (changed.outcome) {
      case 'past':
        return refuse(400, hasMistakes, { mistakes: { address_from: notLater } });
      case 'changed':
        return refuse(409, overtaken, {});
      case 'touches':
        return refuse(409, touches, { touched: changed.touched });
      case 'saved': {
        const word = from === '' ? 'saved' : 'planned';
        return seeOther(
          reply,
          `${studioPath}?done=${changed.changed.length === 0 ? 'unchanged' : word}`,
        );
      }
    }
  });

  const remove = `${addressesPath}/remove`;
  scope.post(remove, { schema: removeAddressSchema }, async (request, reply) => {
    const { from } = request.body;
    const told = readTold(request.body);
    const removed = await removeAddress(context, actorOf(request), from, told);
    switch (removed.outcome) {
      case 'saved':
        return seeOther(reply, `${studioPath}?done=taken%20back`);
      case 'not_found':
        return show(request, reply, { status: 409, trouble: gone });
      case 'touches': {
        const refusedRemoval = { from, isQuiet: false, touched: removed.touched };
        return show(request, reply, { status: 409, trouble: touches, refusedRemoval });
      }
    }
  });
}

interface ShownStudio extends Partial<
  Pick<StudioPageProps, 'refused' | 'refusedNotice' | 'refusedRemoval'>
> {
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
  return async (
    request,
    reply,
    { status, trouble, refused = null, refusedNotice = null, refusedRemoval = null } = {},
  ) =>
    showPage(request, reply, {
      ...(status !== undefined && { status }),
      section: 'studio',
      title: 'Studio',
      done: trouble === undefined ? doneMessage(request, doneMessages) : null,
      trouble,
      children: StudioPage({
        ...(await readStudioDetails(context)),
        refused,
        refusedNotice,
        refusedRemoval,
        hasMail: (await context.board.read()).mode.mail,
      }),
    });
}

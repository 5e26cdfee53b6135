import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { removeAddress } from '../../domain/studio/addresses.js';
import { maxNotices } from '../../domain/studio/fields.js';
import {
  changeNotice,
  changeStudio,
  type NoticeChange,
  readStudioDetails,
} from '../../domain/studio/settings.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { type Outcome, showsDone } from '../console-page.js';
import { addressesPath, noticesPath, studioPath } from '../links.js';
import { actorOf } from '../session.js';
import { readTold, removeAddressSchema } from './addresses.js';
import {
  checkNotice,
  noticeSchema,
  readNoticeForm,
  type RefusedNotice,
  removeNoticeSchema,
  seenNotice,
} from './notices.js';
import {
  checkStudioForm,
  notLater,
  readStudioForm,
  StudioPage,
  type StudioPageProps,
  studioSchema,
} from './studio-page.js';

const messages = {
  saved: 'Saved. People see it now.',
  planned: 'Saved. People see from when it counts.',
  'taken back': 'Taken back.',
  unchanged: 'Nothing was changed.',
};

const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const touches =
  'Nothing is saved yet. The sessions listed below are then at another address; the people of confirmed ones get a mail. Press again if that is right.';
const gone = 'This address is not to come any more. Nothing was done.';
const overtaken =
  'The same details have changed since you opened this page. Nothing was saved; what you typed is below.';

const noticeTroubles = {
  changed:
    'The notice has changed since you opened this page. Nothing was saved. This is how it is now, with what you typed in its form.',
  same_title: 'Another notice has this title. Nothing was saved.',
  too_many: `There can be ${maxNotices} notices at most. Nothing was saved.`,
} as const;

type ShownStudio = Outcome &
  Partial<Pick<StudioPageProps, 'refused' | 'refusedNotice' | 'refusedRemoval'>>;

/** `/console/studio`: the studio’s details, and the notices for people. */
export function registerStudio(scope: PageScope, context: DomainServices): void {
  scope.get(studioPath, { schema: showsDone }, (_request, reply) => show(reply));

  scope.post(studioPath, { schema: studioSchema }, async (request, reply) => {
    const form = readStudioForm(request.body);
    const { changes, mistakes } = checkStudioForm(form);
    const refuse = (
      trouble: string,
      refused: Partial<StudioPageProps['refused']> = {},
      status?: number,
    ) => show(reply, { status, trouble, refused: { form, mistakes, touched: [], ...refused } });
    if (Object.keys(mistakes).length > 0) return refuse(hasMistakes, {}, 400);
    const { from, ...told } = form.address;
    const changed = await changeStudio(context, actorOf(request), changes, form.seen, {
      ...told,
      from: from === '' ? undefined : from,
    });
    switch (changed.outcome) {
      case 'past':
        return refuse(hasMistakes, { mistakes: { address_from: notLater } }, 400);
      case 'changed':
        return refuse(overtaken);
      case 'touches':
        return refuse(touches, { touched: changed.touched });
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
        return show(reply, { trouble: gone });
      case 'touches': {
        const refusedRemoval = { from, isQuiet: false, touched: removed.touched };
        return show(reply, { trouble: touches, refusedRemoval });
      }
    }
  });

  scope.post(noticesPath, { schema: noticeSchema }, async (request, reply) => {
    const form = readNoticeForm(request.body);
    const { notice, mistakes } = checkNotice(form.to);
    const refusedNotice = { form, mistakes };
    if (notice === null) return show(reply, { status: 400, trouble: hasMistakes, refusedNotice });
    return change(reply, { from: form.from, to: notice }, refusedNotice);
  });

  scope.post(`${noticesPath}/remove`, { schema: removeNoticeSchema }, async (request, reply) =>
    change(reply, { from: seenNotice(request.body), to: null }, null),
  );

  async function change(
    reply: FastifyReply,
    wanted: NoticeChange,
    refusedNotice: RefusedNotice | null,
  ): Promise<FastifyReply> {
    const outcome = await changeNotice(context, actorOf(reply.request), wanted);
    if (outcome === 'saved') return seeOther(reply, `${studioPath}?done=saved`);
    return show(reply, { trouble: noticeTroubles[outcome], refusedNotice });
  }

  /** Shows the present studio and, in the fields that were changed, what was typed. */
  async function show(
    reply: FastifyReply,
    { refused = null, refusedNotice = null, refusedRemoval = null, ...outcome }: ShownStudio = {},
  ): Promise<FastifyReply> {
    const details = await readStudioDetails(context);
    return reply.showPage({
      ...outcome,
      section: 'studio',
      title: 'Studio',
      messages,
      children: StudioPage({ ...details, refused, refusedNotice, refusedRemoval }),
    });
  }
}

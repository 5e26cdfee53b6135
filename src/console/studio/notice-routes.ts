import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { maxNotices } from '../../domain/studio-fields.js';
import { changeNotice, type NoticeChange } from '../../domain/studio-settings.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { noticesPath, studioPath } from '../links.js';
import type { ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import {
  checkNotice,
  noticeSchema,
  readNoticeForm,
  type RefusedNotice,
  removeNoticeSchema,
  seenNotice,
} from './notices.js';
import { createStudioPages } from './routes.js';

const troubles = {
  changed:
    'The notice has changed since you opened this page. Nothing was saved. This is how it is now, with what you typed in its form.',
  same_title: 'Another notice has this title. Nothing was saved.',
  too_many: `There can be ${maxNotices} notices at most. Nothing was saved.`,
} as const;

/** `/console/studio/notices`: adds, changes and removes the notices for people. */
export function registerNotices(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const show = createStudioPages(context, showPage);

  scope.post(noticesPath, { schema: noticeSchema }, async (request, reply) => {
    const form = readNoticeForm(request.body);
    const { notice, mistakes } = checkNotice(form.to);
    const refusedNotice = { form, mistakes };
    if (notice === null) {
      const trouble = 'Nothing was saved. What is wrong is marked below.';
      return show(request, reply, { status: 400, trouble, refusedNotice });
    }
    return change(request, reply, { from: form.from, to: notice }, refusedNotice);
  });

  scope.post(`${noticesPath}/remove`, { schema: removeNoticeSchema }, async (request, reply) =>
    change(request, reply, { from: seenNotice(request.body), to: null }, null),
  );

  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: NoticeChange,
    refusedNotice: RefusedNotice | null,
  ): Promise<FastifyReply> {
    const outcome = await changeNotice(context, actorOf(request), wanted);
    if (outcome === 'saved') return seeOther(reply, `${studioPath}?done=saved`);
    return show(request, reply, { status: 409, trouble: troubles[outcome], refusedNotice });
  }
}

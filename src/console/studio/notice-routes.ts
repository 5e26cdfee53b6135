import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { changeNotice, type NoticeChange } from '../../domain/studio-settings.js';
import { maxNotices, noticeFields } from '../../domain/studio-fields.js';
import { type Fields, formRefused } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import type { ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import { noticesPath, studioPath } from '../links.js';
import type { RefusedNotice } from './notices.js';
import { createStudioPages } from './routes.js';
import type { StudioNotice } from '../../database/studio-tables.js';

interface NoticeRoute {
  Body: Fields | undefined;
}

const troubles = {
  changed:
    'The notice has changed since you opened this page. Nothing was saved. This is how it is now, with what you typed in its form.',
  same_title: 'Another notice has this title. Nothing was saved.',
  too_many: `There can be ${maxNotices} notices at most. Nothing was saved.`,
} as const;

/** `/console/studio/notices`: adds, changes and removes the notices for people. */
export function registerNotices(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const show = createStudioPages(context, showPage);

  scope.post<NoticeRoute>(noticesPath, async (request, reply) => {
    const form = readNoticeForm(request.body ?? {});
    const { notice, mistakes } = checkNotice(form.to);
    const refusedNotice = { form, mistakes };
    if (notice === null) {
      const trouble = 'Nothing was saved. What is wrong is marked below.';
      return show(request, reply, { status: 400, trouble, refusedNotice });
    }
    return change(request, reply, { from: form.from, to: notice }, refusedNotice);
  });

  scope.post<NoticeRoute>(`${noticesPath}/remove`, async (request, reply) => {
    const from = seenNotice(request.body ?? {});
    if (from === null) throw formRefused();
    return change(request, reply, { from, to: null }, null);
  });

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

export type NoticeMistakes = Partial<Record<keyof StudioNotice, string>>;

/** A form that adds a notice or changes one. */
export interface NoticeForm {
  /** The notice as the page showed it; null for a new one. */
  from: StudioNotice | null;
  /** As it was typed. */
  to: StudioNotice;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readNoticeForm(fields: Fields): NoticeForm {
  const from = seenNotice(fields);
  const to = readNotice(fields['title'], fields['text']);
  if (to === null) throw formRefused();
  return { from, to };
}

/** The notice as the page showed it; null without one. */
export function seenNotice(fields: Fields): StudioNotice | null {
  return readNotice(fields['seen_title'], fields['seen_text']);
}

function readNotice(title: unknown, text: unknown): StudioNotice | null {
  return typeof title === 'string' && typeof text === 'string' ? { title, text } : null;
}

/** The notice as it is stored; null if something is wrong with it. */
export function checkNotice({ title, text }: StudioNotice): {
  notice: StudioNotice | null;
  mistakes: NoticeMistakes;
} {
  const [titleChecked, textChecked] = [noticeFields.title(title), noticeFields.text(text)];
  if ('value' in titleChecked && 'value' in textChecked) {
    const notice = { title: titleChecked.value, text: textChecked.value };
    return { notice, mistakes: {} };
  }
  return {
    notice: null,
    mistakes: {
      ...('problem' in titleChecked && { title: titleChecked.problem }),
      ...('problem' in textChecked && { text: textChecked.problem }),
    },
  };
}

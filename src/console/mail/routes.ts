import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MailStatus } from '../../database/mail-tables.js';
import type { DomainServices } from '../../domain/deps.js';
import { resendMail } from '../../domain/mail-admin.js';
import { mailIsOff, resendRefusals } from '../../domain/mail-explanations.js';
import { listStudioMails, readMailProblems } from '../../domain/studio-lists.js';
import { ServiceError } from '../../errors.js';
import type { Fields } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { linkToMails, type MailSelection } from '../links.js';
import { momentFormat } from '../moment.js';
import { doneMessage, type Outcome, type ShowPage, withId } from '../pages.js';
import { readPosition, rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { MailPage, mailStatusWords } from './mail-page.js';

interface ResendRoute {
  Params: { id: string };
  Body: Fields | undefined;
}

/** The mails that need care are shown whole, or the newest of them. */
const problemsShown = 20;

const doneMessages = { resent: 'It is sent again at once.' } as const;

/** `/console/mail`: the mails and how they ended, and sending one again. */
export function registerMail(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get('/console/mail', (request, reply) =>
    show(request, reply, readSelection(request.query as Fields), {
      done: doneMessage(request, doneMessages),
    }),
  );

  scope.post<ResendRoute>('/console/mail/:id/resend', withId, async (request, reply) => {
    const selection = readSelection(request.body ?? {});
    const outcome = await resendMail(context, actorOf(request), request.params.id);
    switch (outcome) {
      case 'resent':
        return seeOther(reply, linkToMails(selection, { done: 'resent' }));
      case 'not_found':
        throw new ServiceError('not_found');
      default: {
        const why = outcome === 'mail_off' ? mailIsOff : resendRefusals[outcome];
        return show(request, reply, selection, {
          status: 409,
          trouble: `It was not sent again. ${why}`,
        });
      }
    }
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    selection: MailSelection,
    outcome: Outcome,
  ): Promise<FastifyReply> {
    const { status, before } = selection;
    const isWhole = status === null && before === null;
    const [{ mode, studio }, mails, problems] = await Promise.all([
      context.board.read(),
      listStudioMails(
        context,
        { statuses: status === null ? undefined : [status] },
        { limit: rowsPerPage, before },
      ),
      isWhole ? readMailProblems(context, problemsShown) : null,
    ]);
    const now = context.clock.now();
    return showPage(request, reply, {
      ...outcome,
      section: 'mail',
      title: 'Mail',
      children: MailPage({
        selection,
        mails,
        problems,
        isOn: mode.mail,
        now,
        format: momentFormat(studio.timezone, now),
      }),
    });
  }
}

function readSelection({ status, before }: Fields): MailSelection {
  const isStatus = typeof status === 'string' && Object.hasOwn(mailStatusWords, status);
  return { status: isStatus ? (status as MailStatus) : null, before: readPosition(before) };
}

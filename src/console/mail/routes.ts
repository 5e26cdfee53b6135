import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MailStatus } from '../../database/mail-tables.js';
import type { DomainServices } from '../../domain/deps.js';
import {
  resendMail,
  resendRefusal,
  type ResendRefusal,
  mailIsOff,
  resendRefusals,
} from '../../domain/mail-admin.js';
import { listStudioMails, readMailProblems } from '../../domain/studio-lists.js';
import { ServiceError } from '../../errors.js';
import { choice, form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { linkToMails, type MailSelection } from '../links.js';
import { momentFormat } from '../moment.js';
import { doneMessage, idInPath, type Outcome, type ShowPage } from '../pages.js';
import { position, rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { AskResend, MailPage, mailStatusWords } from './mail-page.js';

/** Which mails the page shows. */
const selection = {
  status: choice(...(Object.keys(mailStatusWords) as MailStatus[])),
  before: position,
};

/** The mails that need care are shown whole, or the newest of them. */
const problemsShown = 20;

const doneMessages = { resent: 'The mail is sent again at once.' } as const;

/** `/console/mail`: the mails and how they ended, and sending one again. */
export function registerMail(scope: PageScope, context: DomainServices, showPage: ShowPage): void {
  const listing = { schema: query({ done: text, ...selection }) };
  scope.get('/console/mail', listing, (request, reply) =>
    show(request, reply, readSelection(request.query), {
      done: doneMessage(request, doneMessages),
    }),
  );

  scope.get(
    '/console/mail/:id/resend',
    { schema: { ...idInPath, ...query(selection) } },
    async (request, reply) => {
      const { mode, studio } = await context.board.read();
      const found = await listStudioMails(context, { idPrefix: request.params.id }, { limit: 1 });
      const [mail] = found.rows;
      if (mail === undefined) throw new ServiceError('not_found');
      const selection = readSelection(request.query);
      const refusal = mode.mail ? resendRefusal(mail) : 'mail_off';
      if (refusal !== null) return refuse(request, reply, selection, refusal);
      return showPage(request, reply, {
        section: 'mail',
        title: 'Send this mail again?',
        children: AskResend({ mail, selection, studioEmail: studio.email }),
      });
    },
  );

  const resending = { schema: { ...idInPath, body: Type.Partial(form(selection).body) } };
  scope.post('/console/mail/:id/resend', resending, async (request, reply) => {
    const selection = readSelection(request.body);
    const outcome = await resendMail(context, actorOf(request), request.params.id);
    switch (outcome) {
      case 'resent':
        return seeOther(reply, linkToMails(selection, { done: 'resent' }));
      case 'not_found':
        throw new ServiceError('not_found');
      default:
        return refuse(request, reply, selection, outcome);
    }
  });

  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    selection: MailSelection,
    refusal: ResendRefusal | 'mail_off',
  ): Promise<FastifyReply> {
    const why = refusal === 'mail_off' ? mailIsOff : resendRefusals[refusal];
    return show(request, reply, selection, {
      status: 409,
      trouble: `It was not sent again. ${why}`,
    });
  }

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

function readSelection({ status = null, before = null }: Partial<MailSelection>): MailSelection {
  return { status, before };
}

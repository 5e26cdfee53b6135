import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { MailStatus } from '../../database/rows/mails.js';
import type { DomainServices } from '../../domain/deps.js';
import { listStudioMails, readMailProblems } from '../../domain/studio/lists.js';
import {
  dismissMails,
  resendMail,
  resendRefusal,
  type ResendRefusal,
  resendRefusals,
} from '../../domain/studio/mail-admin.js';
import { ServiceError } from '../../errors.js';
import { choice, form, type PageScope, query, text, uuid } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { idInPath } from '../console-page.js';
import { linkToMails, type MailSelection } from '../links.js';
import { position, rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { AskResend, mailIsOffFor, MailPage, mailStatusWords } from './mail-page.js';

const selection = {
  status: choice(...(Object.keys(mailStatusWords) as MailStatus[])),
  before: position,
};

/** The limit of the mails that need care. */
const problemsShown = 20;

const messages = {
  resent: 'The mail is sent again at once.',
  dismissed: 'Dismissed. It stays in the list, and needs nobody any more.',
};

/** `/console/mail`: the mails and how they ended, and sending one again. */
export function registerMail(scope: PageScope, context: DomainServices): void {
  const listing = { schema: query({ done: text, ...selection }) };
  scope.get('/console/mail', listing, (request, reply) =>
    show(reply, readSelection(request.query)),
  );

  const asking = { schema: { ...idInPath, ...query(selection) } };
  scope.get('/console/mail/:id/resend', asking, async (request, reply) => {
    const { mode, studio } = await context.board.read();
    const wanted = { idPrefix: request.params.id, artistId: request.consoleArtist?.id };
    const [mail] = (await listStudioMails(context, wanted, { limit: 1 })).rows;
    if (mail === undefined) throw new ServiceError('not_found');
    const selection = readSelection(request.query);
    const refusal = mode.mail ? resendRefusal(mail) : 'mail_off';
    if (refusal !== null) return refuse(reply, selection, refusal);
    return reply.showPage({
      section: 'mail',
      title: 'Send this mail again?',
      children: AskResend({ mail, selection, studioEmail: studio.email }),
    });
  });

  const resending = { schema: { ...idInPath, body: Type.Partial(form(selection).body) } };
  scope.post('/console/mail/:id/resend', resending, async (request, reply) => {
    const selection = readSelection(request.body);
    const outcome = await resendMail(context, actorOf(request), request.params.id, {
      artistId: request.consoleArtist?.id,
    });
    switch (outcome) {
      case 'resent':
        return seeOther(reply, linkToMails(selection, { done: 'resent' }));
      case 'not_found':
        throw new ServiceError('not_found');
      default:
        return refuse(reply, selection, outcome);
    }
  });

  // "All" are those that had failed when the page was made.
  const dismissing = {
    config: { concerns: 'owner' } as const,
    schema: {
      body: Type.Partial(
        form({ ...selection, id: uuid, until: Type.Integer({ minimum: 0 }) }).body,
      ),
    },
  };
  scope.post('/console/mail/dismiss', dismissing, async (request, reply) => {
    const { id, until = 0 } = request.body;
    const which = id === undefined ? { until: new Date(until) } : { id };
    await dismissMails(context, actorOf(request), which);
    return seeOther(reply, linkToMails(readSelection(request.body), { done: 'dismissed' }));
  });

  function refuse(
    reply: FastifyReply,
    selection: MailSelection,
    refusal: ResendRefusal | 'mail_off',
  ): Promise<FastifyReply> {
    const { consoleArtist: own } = reply.request;
    const why = refusal === 'mail_off' ? mailIsOffFor(own) : resendRefusals[refusal];
    return show(reply, selection, `It was not sent again. ${why}`);
  }

  async function show(
    reply: FastifyReply,
    selection: MailSelection,
    trouble?: string,
  ): Promise<FastifyReply> {
    const { status, before } = selection;
    const own = reply.request.consoleArtist;
    const isWhole = status === null && before === null && own === null;
    const statuses = status === null ? undefined : [status];
    const [mails, problems] = await Promise.all([
      listStudioMails(context, { statuses, artistId: own?.id }, { limit: rowsPerPage, before }),
      isWhole ? readMailProblems(context, problemsShown) : null,
    ]);
    return reply.showPage({
      section: 'mail',
      title: 'Mail',
      messages,
      trouble,
      children: h(MailPage, { selection, mails, problems }),
    });
  }
}

function readSelection({ status = null, before = null }: Partial<MailSelection>): MailSelection {
  return { status, before };
}

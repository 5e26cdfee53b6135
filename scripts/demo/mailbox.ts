import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import accepts from '@fastify/accepts';
import Fastify from 'fastify';
import PostalMime from 'postal-mime';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SMTPServer } from 'smtp-server';
import { registerAssets } from '../../src/pages/assets.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { MailboxPage } from './mailbox-page.js';

export interface ReceivedMail {
  /** 1 is the first that arrived. */
  number: number;
  from: string;
  to: string;
  subject: string;
  at: Date;
  html: string | null;
  text: string | null;
  /** The calendar part. */
  calendar: string | null;
}

export interface Mailbox {
  /** For SMTP_URL. */
  smtpUrl: string;
  /** Of the page that shows the mails. */
  url: string;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const keptMails = 200;
const maxMailBytes = 1_000_000;

/** No script runs, in the page or in a mail, and nothing is loaded from elsewhere. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Starts a mail server that keeps the last 200 mails in memory, and a page that shows them. */
export async function startMailbox(): Promise<Mailbox> {
  /** Newest first. */
  const mails: ReceivedMail[] = [];
  let received = 0;
  const smtp = createSmtpServer(async (raw) => {
    const mail = await parse(raw, (received += 1));
    mails.unshift(mail);
    mails.splice(keptMails);
  });
  smtp.listen(0, host);
  await once(smtp.server, 'listening');

  const pages = Fastify({ forceCloseConnections: true });
  await pages.register(accepts);
  const assets = await registerAssets(pages);
  const css = await readFile(join(packageRoot(), 'scripts', 'demo', 'mailbox.css'));
  pages.get('/mailbox.css', (_request, reply) => reply.type('text/css').send(css));
  const render = (page: VNode) => `<!doctype html>${renderToString(page)}`;
  pages.get('/', (_request, reply) =>
    reply
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(render(MailboxPage({ assets, mails, chosen: null }))),
  );
  pages.get<{ Params: { number: string } }>('/mails/:number', (request, reply) => {
    const chosen = mails.find(({ number }) => String(number) === request.params.number);
    if (chosen === undefined) return reply.redirect('/');
    return reply
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(render(MailboxPage({ assets, mails, chosen })));
  });
  const url = await pages.listen({ host, port: 0 });

  return {
    smtpUrl: `smtp://${host}:${(smtp.server.address() as AddressInfo).port}`,
    url,
    async stop() {
      await pages.close();
      await new Promise<void>((resolve) => smtp.close(resolve));
    },
  };
}

/** A mail is accepted once `keep` has resolved. */
function createSmtpServer(keep: (raw: Buffer) => Promise<void>): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: maxMailBytes,
    closeTimeout: 100,
    onData(stream, _session, done) {
      buffer(stream)
        .then((raw) => {
          if (stream.sizeExceeded) throw new Error('the mail is too large');
          return keep(raw);
        })
        .then(() => done(), done);
    },
  });
  // A client that hangs up in the middle is no reason to end the demo.
  server.on('error', () => undefined);
  return server;
}

async function parse(raw: Buffer, number: number): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const calendar = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  return {
    number,
    from: mail.from?.name || mail.from?.address || '',
    to: mail.to?.map(({ name, address }) => name || address).join(', ') ?? '',
    subject: mail.subject ?? '',
    at: new Date(),
    html: mail.html ?? null,
    text: mail.text ?? null,
    calendar: typeof calendar?.content === 'string' ? calendar.content : null,
  };
}

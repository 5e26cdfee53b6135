import { EventEmitter, on, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import accepts from '@fastify/accepts';
import Fastify, { type FastifyReply } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { SMTPServer } from 'smtp-server';
import { packageRoot } from '../../src/platform/package-root.js';
import { registerAssets } from '../../src/web/assets.js';
import { MailboxPage } from './mailbox-page.js';
import { parseMail, type ReceivedMail } from './received-mail.js';

export interface Mailbox {
  /** The value of SMTP_URL. */
  smtpUrl: string;
  /** The page that shows the mails. */
  url: string;
  /** Resolves with the digits of the next code that is mailed to the person; rejects at the signal. */
  nextCode(name: string, signal: AbortSignal): Promise<string>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const keptMails = 200;
const maxMailBytes = 1_000_000;

/** Neither the page nor a mail runs a script or loads anything from elsewhere. */
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
  const arrivals = new EventEmitter<{ mail: [ReceivedMail] }>();
  const smtp = createSmtpServer(async (raw) => {
    const mail = await parseMail(raw, (received += 1));
    mails.unshift(mail);
    mails.splice(keptMails);
    arrivals.emit('mail', mail);
  });
  smtp.listen(0, host);
  await once(smtp.server, 'listening');

  const pages = Fastify({ forceCloseConnections: true });
  await pages.register(accepts);
  const assets = registerAssets(pages);
  const css = await readFile(join(packageRoot(), 'scripts', 'demo', 'mailbox.css'));
  pages.get('/mailbox.css', (_request, reply) => reply.type('text/css').send(css));
  const sendPage = (reply: FastifyReply, chosen: ReceivedMail | null) =>
    reply
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(`<!doctype html>${renderToString(MailboxPage({ assets, mails, chosen }))}`);
  pages.get('/', (_request, reply) => sendPage(reply, null));
  pages.get<{ Params: { number: string } }>('/mails/:number', (request, reply) => {
    const chosen = mails.find(({ number }) => String(number) === request.params.number);
    return chosen === undefined ? reply.redirect('/') : sendPage(reply, chosen);
  });
  const url = await pages.listen({ host, port: 0 });

  return {
    smtpUrl: `smtp://${host}:${(smtp.server.address() as AddressInfo).port}`,
    url,
    async nextCode(name, signal) {
      for await (const [mail] of on(arrivals, 'mail', { signal }) as AsyncIterable<
        [ReceivedMail]
      >) {
        const [digits] = /^\d{6}$/m.exec(mail.text ?? '') ?? [];
        if (mail.to === name && digits !== undefined) return digits;
      }
      throw new Error('the mailbox is closed');
    },
    async stop() {
      await pages.close();
      await new Promise<void>((resolve) => smtp.close(resolve));
    },
  };
}

/** Accepts a mail when `keep` has resolved. */
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
  // A client that closes the connection early must not end the demo.
  server.on('error', () => undefined);
  return server;
}

import dns from 'node:dns';
import t from 'tap';
import { outgoingMail, startMailSender } from '../support/mail.js';
import { setEnvironment, launch } from '../support/process.js';
import { compiledFile } from '../support/project.js';
import { selfSigned } from '../support/self-signed.js';
import { startSmtp, type SmtpOptions } from '../support/smtp.js';

const credentials = { user: 'studio', password: 'a secret: ü@/' };

const commandsBeforeTls = ['EHLO', 'STARTTLS'];

/**
 * What a server with an untrusted certificate gets, once for the mail and once for `verify`, and the
 * error of both.
 */
const servers: [
  tls: Exclude<SmtpOptions['tls'], undefined>,
  isLoopback: boolean,
  gets: string[],
  error: string | null,
][] = [
  ['none', false, commandsBeforeTls, 'tls'],
  ['HELO only', false, ['EHLO'], 'protocol'],
  ['starttls', false, commandsBeforeTls, 'tls'],
  ['implicit', false, [], 'tls'],
  ['none', true, ['mail'], null],
  ['starttls', true, ['mail'], null],
  ['implicit', true, ['mail'], null],
];

for (const [tls, isLoopback, gets, error] of servers) {
  const host = isLoopback ? 'loopback' : 'another host';
  t.test(`${host}, TLS ${tls}, in any environment: gets ${gets.join() || 'nothing'}`, async (t) => {
    setEnvironment(t, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    const { smtp, sender } = await startMailSender(t, {
      tls,
      credentials,
      settings: { isLoopback },
    });
    const expected = { outcome: error === null ? 'sent' : 'deferred', error };
    t.match(await sender.send(outgoingMail()), expected);
    t.match(await sender.verify(), expected, 'verify');
    if (isLoopback) return t.match(smtp.received(), [{ secure: tls !== 'none', user: 'studio' }]);
    const verbs = smtp.commands().map((line) => line.split(' ')[0]);
    t.same(verbs, [...gets, ...gets], 'neither mail nor password');
  });
}

t.test('no name server decides where localhost is', async (t) => {
  const asked: string[] = [];
  t.intercept(dns.Resolver.prototype, 'resolve4', {
    value: (host: string, callback: (error: null, addresses: string[]) => void) => {
      asked.push(host);
      callback(null, ['192.0.2.7']);
    },
  });
  for (const host of ['localhost', 'LOCALHOST']) {
    const { sender } = await startMailSender(t, { tls: 'none', credentials, settings: { host } });
    t.match(await sender.send(outgoingMail()), { outcome: 'sent' });
    t.match(await sender.verify(), { outcome: 'sent' });
  }
  t.strictSame(asked, []);
});

t.test('a server of another host with a trusted certificate gets mail over TLS', async (t) => {
  const folder = t.testdir({ 'authority.pem': selfSigned.cert });
  for (const tls of ['starttls', 'implicit'] as const) {
    const smtp = await startSmtp(t, { tls, credentials });
    const settings = { ...smtp.settings, isLoopback: false };
    // Node reads additional authorities only when it starts.
    const program = `
      import { createMailSender } from ${JSON.stringify(compiledFile('src/mail/sender.ts'))};
      const sender = createMailSender(${JSON.stringify(settings)});
      const mail = ${JSON.stringify(outgoingMail())};
      const { outcome } = await sender.send({ ...mail, date: new Date(mail.date) });
      sender.close();
      process.exitCode = outcome === 'sent' ? 0 : 1;`;
    const environment = { NODE_EXTRA_CA_CERTS: `${folder}/authority.pem` };
    const child = launch(t, environment, ['--input-type=module', '--eval', program]);
    t.equal(await child.ended, 0, tls);
    t.match(smtp.received(), [{ secure: true, user: 'studio' }], tls);
  }
});

t.test('a login that fails, or is not offered or missing, defers mail', async (t) => {
  const wrong = { ...credentials, password: 'wrong' };
  for (const [offered, given, replyCode] of [
    [credentials, wrong, 535],
    [undefined, credentials, 500],
    [credentials, null, 530],
  ] as const) {
    const { smtp, sender } = await startMailSender(t, {
      ...(offered && { credentials: offered }),
      settings: { credentials: given },
    });
    const expected = { outcome: 'deferred', replyCode, error: 'auth' };
    t.match(await sender.send(outgoingMail()), expected);
    // Without a login, only a mail shows that one is demanded.
    if (given) t.match(await sender.verify(), expected, 'verify');
    t.same(smtp.received(), []);
  }
});

t.test('verify sends no mail, and has the deadline of one', async (t) => {
  const { smtp, sender } = await startMailSender(t, { timeouts: { totalSeconds: 0.4 } });
  t.match(await sender.verify(), { outcome: 'sent', replyCode: null, error: null });
  t.notOk(smtp.commands().some((line) => line.startsWith('MAIL')));
  smtp.misbehave(() => 'trickle');
  t.match(await sender.verify(), { outcome: 'deferred', error: 'timeout' });
  await smtp.allClosed();
});

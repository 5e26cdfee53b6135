import t from 'tap';
import { createMailSender } from '../../src/mail/sender.js';
import { mailTimeouts, outgoingMail, startMailSender } from '../support/mail.js';
import { startSmtp, type SmtpFault, type SmtpStage } from '../support/smtp.js';

/** A server that misbehaves always at one stage. */
const always = (stage: SmtpStage, fault: SmtpFault) => (moment: { stage: SmtpStage }) =>
  moment.stage === stage ? fault : null;

t.test('an accepted mail is sent to its one recipient, from its sender', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const result = await sender.send(outgoingMail());
  t.match(result, { outcome: 'sent', replyCode: 250, error: null });
  t.ok(result.durationMs > 0);
  const [mail] = smtp.received();
  t.match(mail, { from: 'booking@nightheron.example', to: ['ada@example.com'] });
  const raw = mail?.raw.toString() ?? '';
  t.match(raw, /^Message-ID: <4f1c@nightheron\.example>\r$/m);
  t.match(raw, /^Date: Sat, 21 Nov 2026 20:00:00 \+0000\r$/m, 'the instant of the change');
  t.match(raw, /^Auto-Submitted: auto-generated\r$/m);
  t.match(raw, /^From: Night Heron <booking@nightheron\.example>\r$/m);
  t.match(raw, /^To: Ada Park <ada@example\.com>\r$/m);
  t.match(raw, /^Reply-To: Night Heron <hello@nightheron\.example>\r$/m);
});

t.test('a 5xx reply about a mail refuses it for good, and says what was refused', async (t) => {
  for (const [stage, code, error] of [
    ['MAIL', 550, 'sender'],
    ['RCPT', 550, 'recipient'],
    ['RCPT', 553, 'recipient'],
    ['DATA', 554, 'message'],
    ['end', 550, 'message'],
  ] as const) {
    const fault = { code, text: '<ada@example.com> is not welcome' };
    const { smtp, sender } = await startMailSender(t, { misbehave: always(stage, fault) });
    const { durationMs, ...result } = await sender.send(outgoingMail());
    t.type(durationMs, 'number');
    const expected = { outcome: 'refused', replyCode: code, error };
    t.same(result, expected, `${code} to ${stage}, and no word of the server`);
    t.same(smtp.received(), []);
  }
});

t.test('any other reply defers a mail', async (t) => {
  for (const [stage, code, error] of [
    ['greeting', 421, 'connection'],
    ['greeting', 554, 'protocol'],
    ['MAIL', 451, 'sender'],
    ['MAIL', 421, 'connection'],
    ['MAIL', 530, 'auth'],
    ['RCPT', 450, 'recipient'],
    ['RCPT', 421, 'connection'],
    ['RCPT', 503, 'recipient'],
    ['DATA', 451, 'message'],
    ['end', 451, 'message'],
    ['end', 421, 'connection'],
  ] as const) {
    const { smtp, sender } = await startMailSender(t, { misbehave: always(stage, { code }) });
    const result = await sender.send(outgoingMail());
    t.match(result, { outcome: 'deferred', replyCode: code, error }, `${code} to ${stage}`);
    t.same(smtp.received(), []);
  }
});

t.test('a refused mail does not harm the next one', async (t) => {
  const { smtp, sender } = await startMailSender(t, {
    misbehave: ({ stage, attempt }) => (stage === 'RCPT' && attempt === 1 ? { code: 550 } : null),
  });
  t.match(await sender.send(outgoingMail()), { outcome: 'refused' });
  t.match(await sender.send(outgoingMail()), { outcome: 'sent' });
  t.equal(smtp.received().length, 1);
});

t.test('a connection cut at any stage defers the mail', async (t) => {
  for (const stage of ['greeting', 'MAIL', 'RCPT', 'DATA', 'content', 'end'] as const) {
    const { smtp, sender } = await startMailSender(t, { misbehave: always(stage, 'cut') });
    const result = await sender.send(outgoingMail());
    const expected = { outcome: 'deferred', replyCode: null, error: 'connection' };
    t.match(result, expected, stage);
    t.equal(smtp.received().length, stage === 'end' ? 1 : 0, `${stage}: what the server has`);
    smtp.misbehave(null);
    t.match(await sender.send(outgoingMail()), { outcome: 'sent' }, `${stage}: then as usual`);
  }
});

t.test('a connection that the server closed in between defers one mail at most', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  t.match(await sender.send(outgoingMail()), { outcome: 'sent' });
  smtp.refuse();
  t.match(await sender.send(outgoingMail()), { outcome: 'deferred', error: 'connection' });
  smtp.accept();
  t.match(await sender.send(outgoingMail()), { outcome: 'sent' });
});

t.test('a closed port and an unknown host have different outcomes', async (t) => {
  const { settings, close } = await startSmtp(t);
  close();
  for (const [host, error] of [
    ['127.0.0.1', 'connection'],
    // Too long a label: no name server is asked.
    [`${'a'.repeat(64)}.example`, 'dns'],
  ] as const) {
    const sender = createMailSender({ ...settings, host }, { timeouts: mailTimeouts });
    t.teardown(() => sender.close());
    const expected = { outcome: 'deferred', replyCode: null, error };
    t.match(await sender.send(outgoingMail()), expected, error);
    t.match(await sender.verify(), expected, `${error}: verify`);
  }
});

t.test('a silent server defers the mail with timeout', async (t) => {
  for (const [stage, timeouts] of [
    ['greeting', { greetingSeconds: 0.2 }],
    ['MAIL', { silenceSeconds: 0.2 }],
    ['end', { silenceSeconds: 0.2 }],
  ] as const) {
    const { sender } = await startMailSender(t, { misbehave: always(stage, 'silence'), timeouts });
    const expected = { outcome: 'deferred', replyCode: null, error: 'timeout' };
    t.match(await sender.send(outgoingMail()), expected, stage);
  }
});

t.test('a server that trickles its replies is cut at the deadline', async (t) => {
  for (const stage of ['greeting', 'MAIL', 'RCPT', 'DATA', 'end'] as const) {
    const { smtp, sender } = await startMailSender(t, {
      misbehave: always(stage, 'trickle'),
      timeouts: { totalSeconds: 0.4 },
    });
    const result = await sender.send(outgoingMail());
    t.match(result, { outcome: 'deferred', replyCode: null, error: 'timeout' }, stage);
    t.ok(result.durationMs < 5_000, `${stage}: ${result.durationMs} ms`);
    await smtp.allClosed();
  }
});

t.test('the deadline includes the wait for a connection', async (t) => {
  const { smtp, sender } = await startMailSender(t, {
    misbehave: always('MAIL', 'silence'),
    timeouts: { totalSeconds: 0.5 },
  });
  const results = await Promise.all(Array.from({ length: 8 }, () => sender.send(outgoingMail())));
  for (const result of results) t.match(result, { outcome: 'deferred', error: 'timeout' });
  t.equal(smtp.connectionCount(), 5, 'five at once');
});

t.test('close cuts what is being sent, what waits and what comes after', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const begun = new Promise<void>((resolve) => {
    smtp.misbehave(({ stage }) => {
      if (stage !== 'end') return null;
      resolve();
      return 'silence';
    });
  });
  const sending = Array.from({ length: 7 }, () => sender.send(outgoingMail()));
  await begun;
  sender.close();
  const aborted = { outcome: 'aborted', replyCode: null, error: null };
  for (const result of await Promise.all(sending)) t.match(result, aborted);
  t.match(await sender.send(outgoingMail()), aborted);
  t.match(await sender.verify(), aborted);
  await smtp.allClosed();
});

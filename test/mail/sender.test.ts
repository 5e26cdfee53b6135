import t from 'tap';
import { outgoingMail, startMailSender } from '../support/mail.js';
import type { SmtpFault, SmtpStage } from '../support/smtp.js';

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
  t.match(await mail?.parsed(), { text: /is booked/, html: /<p>/, attachments: [] });
  await sender.verify();
  await sender.send(outgoingMail());
  t.equal(smtp.connectionCount(), 2, 'verify has its own connection; both mails share one');
});

type Case = [SmtpStage, SmtpFault, outcome: 'refused' | 'deferred', error: string];

const cases: Case[] = [
  // A 5xx reply about the mail refuses it for good.
  ['MAIL', { code: 550 }, 'refused', 'sender'],
  ['RCPT', { code: 550 }, 'refused', 'recipient'],
  ['DATA', { code: 554 }, 'refused', 'message'],
  ['end', { code: 550 }, 'refused', 'message'],
  ['greeting', { code: 421 }, 'deferred', 'connection'],
  ['greeting', { code: 554 }, 'deferred', 'protocol'],
  ['MAIL', { code: 451 }, 'deferred', 'sender'],
  ['MAIL', { code: 421 }, 'deferred', 'connection'],
  ['MAIL', { code: 530 }, 'deferred', 'auth'],
  ['RCPT', { code: 450 }, 'deferred', 'recipient'],
  ['RCPT', { code: 503 }, 'deferred', 'recipient'],
  ['DATA', { code: 451 }, 'deferred', 'message'],
  ['end', { code: 451 }, 'deferred', 'message'],
  ...(['greeting', 'MAIL', 'RCPT', 'DATA', 'content', 'end'] as const).flatMap((stage): Case[] => [
    [stage, 'cut', 'deferred', 'connection'],
    [stage, 'silence', 'deferred', 'timeout'],
    // Where a server replies. It never falls silent: the deadline ends the attempt.
    ...(stage === 'content' ? [] : [[stage, 'trickle', 'deferred', 'timeout'] satisfies Case]),
  ]),
];

t.test('what the server does decides whether a mail is tried again, and why', async (t) => {
  for (const [stage, fault, outcome, error] of cases) {
    const label = `${JSON.stringify(fault)} at ${stage}`;
    const isReply = typeof fault === 'object' && 'code' in fault;
    const { smtp, sender } = await startMailSender(t, {
      misbehave: (moment) => {
        if (moment.stage !== stage) return null;
        return isReply ? { ...fault, text: '<ada@example.com> is not welcome' } : fault;
      },
      timeouts: {
        ...(fault === 'silence' && { greetingSeconds: 0.3, silenceSeconds: 0.3 }),
        ...(fault === 'trickle' && { totalSeconds: 0.5 }),
      },
    });
    const { durationMs, ...result } = await sender.send(outgoingMail());
    t.ok(durationMs > 0);
    const replyCode = isReply ? fault.code : null;
    t.same(result, { outcome, replyCode, error }, `${label}, and no word of the server`);
    // A busy machine may not have come so far within the time.
    const arrives = stage === 'end' && !isReply;
    if (!arrives) t.same(smtp.received(), [], label);
    else if (fault === 'cut') t.equal(smtp.received().length, 1, label);
    smtp.misbehave(null);
    // Where no silence is to end within a moment, which is too short for a busy machine.
    if (isReply || fault === 'cut') {
      t.match(await sender.send(outgoingMail()), { outcome: 'sent' }, `${label} harms no other`);
    }
    if (fault === 'trickle') await smtp.allClosed();
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
  for (const [host, error] of [
    ['127.0.0.1', 'connection'],
    // Too long a label: no name server is asked.
    [`${'a'.repeat(64)}.example`, 'dns'],
  ] as const) {
    const { smtp, sender } = await startMailSender(t, { settings: { host } });
    smtp.close();
    const expected = { outcome: 'deferred', replyCode: null, error };
    t.match(await sender.send(outgoingMail()), expected, error);
    t.match(await sender.verify(), expected, `${error}: verify`);
  }
});

t.test('the deadline includes the wait for a connection', async (t) => {
  const { smtp, sender } = await startMailSender(t, {
    misbehave: ({ stage }) => (stage === 'MAIL' ? 'silence' : null),
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

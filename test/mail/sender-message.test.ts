import t, { type Test } from 'tap';
import { outgoingMail, startMailSender } from '../support/mail.js';
import type { ReceivedMail } from '../support/smtp.js';

const calendar = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'SUMMARY:Tätowierung 🦩 at Night Heron ',
  `DESCRIPTION:${'x'.repeat(62)}`,
  ' and the rest of a folded line',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** The names of a mail's header fields, in lower case, but for the subject, which may be absent. */
function fieldNames({ raw }: ReceivedMail): string[] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n');
  const lines = head.split('\r\n').filter((line) => !/^[ \t]/.test(line));
  const names = lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  return names.filter((name) => name !== 'subject');
}

/** As every server and mail program can read it. */
function expectPlainLines(t: Test, { raw }: ReceivedMail, label: string): void {
  const text = raw.toString('latin1');
  t.notMatch(text, /[^\r]\n|\r[^\n]/, `${label}: all lines end with CRLF`);
  t.notMatch(text, /[^\r\n]{999}/, `${label}: no line is too long`);
  t.notMatch(text, /[^\t\r\n -~]/, `${label}: in ASCII`);
}

t.test('text, HTML and calendar are alternatives, and nothing is an attachment', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const text = `Your session — at night.\n\n.\n.. a line of ${'many '.repeat(60)}words\n`;
  const html = `<p>Your session — at night. ${'<b>many</b> words '.repeat(80)}</p>\n`;
  for (const method of ['REQUEST', 'CANCEL'] as const) {
    const content = calendar.replace('REQUEST', method);
    await sender.send(outgoingMail({ text, html, calendar: { method, content } }));
    const mail = smtp.received().at(-1)!;
    const raw = mail.raw.toString('latin1');
    const parts = [...raw.matchAll(/^Content-Type: ([^\r]+(?:\r\n [^\r]+)*)\r$/gm)];
    const types = parts.map(([, type = '']) =>
      type.replace(/\r\n/g, '').replace(/ boundary=.*/, ''),
    );
    t.same(types, [
      'multipart/alternative;',
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
      `text/calendar; charset=utf-8; method=${method}`,
    ]);
    t.notMatch(raw, /content-disposition|name=|application\/ics/i);
    expectPlainLines(t, mail, method);

    const parsed = await mail.parsed();
    t.equal(parsed.text?.trimEnd(), text.trimEnd());
    t.equal(parsed.html?.trimEnd(), html.trimEnd());
    const [part, ...others] = parsed.attachments;
    t.match(part, { mimeType: 'text/calendar', method, filename: null, disposition: null });
    // postal-mime makes line feeds of the line ends of texts.
    t.equal(Buffer.from(part!.content as ArrayBuffer).toString(), content.replaceAll('\r\n', '\n'));
    t.same(others, []);
  }
});

t.test('hostile names and subjects make no header and no recipient', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  await sender.send(outgoingMail());
  const usual = fieldNames(smtp.received()[0]!);
  const names = [
    'x\r\nBcc: eve@example.com',
    'x\nBcc: eve@example.com\r\n\r\n<b>body</b>',
    '\r\n.\r\nMAIL FROM:<eve@example.com>',
    'x\u0000\u000b\u0085\u2028\u2029Bcc: eve@example.com',
    'Ada" <eve@example.com>, "',
    'eve@example.com, mallory@example.com',
    'Friends: eve@example.com, mallory@example.com;',
    'Ada\\',
    'Ada (comment \\) <eve@example.com>',
    '=?utf-8?B?DQpCY2M6IGV2ZUBleGFtcGxlLmNvbQ==?=',
    '\u202Emoc.elpmaxe@eve\u202C',
    'عائشة العلي',
    '🦩'.repeat(5_000),
    `a${'"'.repeat(10_000)}`,
    'A'.repeat(10_000),
    'Bcc: eve@example.com\r\n'.repeat(500),
    'a\ud800b',
    '',
  ];
  for (const [index, name] of names.entries()) {
    // Some names are no titles: TAP has a line for each.
    const shown = `name ${index}`;
    const to = { name, address: 'ada@example.com' };
    const replyTo = { name, address: 'hello@nightheron.example' };
    const { outcome } = await sender.send(outgoingMail({ to, replyTo, subject: name }));
    t.equal(outcome, 'sent', shown);
    const received = smtp.received()[index + 1]!;
    t.same(received.to, ['ada@example.com'], `${shown}: the envelope`);
    t.same(fieldNames(received), usual, `${shown}: the fields`);
    expectPlainLines(t, received, shown);
    const parsed = await received.parsed();
    const headers = [parsed.to, parsed.replyTo];
    const addresses = headers.map((header) => header?.map((each) => each.address));
    t.same(addresses, [[to.address], [replyTo.address]], shown);
    const oneLine = [parsed.subject ?? '', parsed.to?.[0]?.name ?? ''];
    t.notMatch(oneLine.join(), /[\r\n]/, `${shown}: one line`);
    t.match(parsed.text, /^Your session is booked\.\s*$/, `${shown}: the text`);
  }
});

t.test('names that harm nothing arrive as they are, others do not turn the address', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const turning = '\u202Emoc.knab \u2066of Ada';
  for (const [name, arrives] of [
    ["Ada 'Duck' O'Neill, Jr."],
    ['Zoë "Z" Müller'],
    ['李小龍'],
    ['عائشة 🦩 (she/her)'],
    [turning, 'moc.knab of Ada'],
    ['\u0007 Ada \u0007', 'Ada'],
  ] as const) {
    const person = { name, address: 'ada@example.com' };
    const subject = arrives === undefined ? name : 'Booked';
    await sender.send(outgoingMail({ to: person, replyTo: person, subject }));
    const { to, replyTo, ...parsed } = await smtp.received().at(-1)!.parsed();
    const expected = [{ ...person, name: arrives ?? name }];
    t.same({ to, replyTo, subject: parsed.subject }, { to: expected, replyTo: expected, subject });
  }
});

t.test('odd but valid addresses are sent to as they are', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const addresses = [
    'Ada.Park+tattoo@example.com',
    "o'brien=x@example.com",
    '"ada park"@example.com',
    '"ada@park, ;\\""@example.com',
    '%40!ada@example.com',
    'ada@xn--ttowierung-q5a.example',
    'ada@a.b-c.example',
  ];
  for (const address of addresses) {
    // Its outcome says nothing: smtp-server knows no quoted local parts.
    await sender.send(outgoingMail({ to: { name: 'Ada', address } }));
    const said = smtp.commands().findLast((line) => line.startsWith('RCPT'));
    t.equal(said, `RCPT TO:<${address}>`);
  }
});

t.test('an address that would be sent as another one is refused unsent', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const addresses = [
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com> <eve@example.com',
    'ada@example.com, eve@example.com',
    'ada@eve@example.com',
    '"ada<eve>"@example.com',
    // Taken for 1.2.0.3 and 127.0.0.1.
    'ada@1.2.3',
    'ada@0x7f.1',
    'ada@[127.0.0.1]',
    'zoë@example.com',
    'ada@tätowierung.example',
    'ada@example.com ',
    'ada',
    '@example.com',
    '',
  ];
  for (const address of addresses) {
    const result = await sender.send(outgoingMail({ to: { name: 'Ada', address } }));
    const expected = { outcome: 'refused', replyCode: null, error: 'recipient' };
    t.match(result, expected, JSON.stringify(address));
  }
  t.equal(smtp.connectionCount(), 0);
});

t.test('an address for replies that cannot be written is left out', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  for (const address of ['zoë@example.com', 'a@b.com>\r\nBcc: eve@example.com', '']) {
    const mail = outgoingMail({ replyTo: { name: 'Night Heron', address } });
    t.match(await sender.send(mail), { outcome: 'sent' });
    t.notOk(fieldNames(smtp.received().at(-1)!).includes('reply-to'));
  }
});

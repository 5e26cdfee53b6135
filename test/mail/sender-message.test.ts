import PostalMime, { type Attachment } from 'postal-mime';
import t from 'tap';
import type { OutgoingMail } from '../../src/mail/sender.js';
import { outgoingMail, startMailSender } from '../support/mail.js';

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'SUMMARY:Tätowierung 🦩 at Night Heron ',
  `DESCRIPTION:${'x'.repeat(62)}`,
  ' and the rest of a folded line',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** The names of a mail's header fields, in lower case. */
function fieldNames(raw: Buffer): string[] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n');
  const lines = head.split('\r\n').filter((line) => !/^[ \t]/.test(line));
  return lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
}

function contentOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

t.test('text, HTML and calendar are alternatives, and nothing is an attachment', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const text = `Your session — at night.\n\n.\n.. a line of ${'many '.repeat(60)}words\n`;
  const html = `<p>Your session — at night. ${'<b>many</b> words '.repeat(80)}</p>\n`;
  for (const method of ['REQUEST', 'CANCEL'] as const) {
    const content = calendar.replace('REQUEST', method);
    await sender.send(outgoingMail({ text, html, calendar: { method, content } }));
    const mail = smtp.received().at(-1);
    const raw = mail?.raw.toString('latin1') ?? '';
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
    t.notMatch(raw, /[^\r]\n|\r[^\n]/, 'all lines end with CRLF');
    t.notMatch(raw, /[^\r\n]{999}/, 'no line is too long');
    t.notMatch(raw, /[^\t\r\n -~]/, 'in ASCII');

    const parsed = await mail?.parsed();
    t.equal(parsed?.text?.trimEnd(), text.trimEnd());
    t.equal(parsed?.html?.trimEnd(), html.trimEnd());
    const [part, ...others] = parsed?.attachments ?? [];
    t.match(part, { mimeType: 'text/calendar', method, filename: null, disposition: null });
    // postal-mime makes line feeds of the line ends of texts.
    t.equal(part && contentOf(part), content.replaceAll('\r\n', '\n'));
    t.same(others, []);
  }
});

t.test('without a calendar, text and HTML are the alternatives', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  await sender.send(outgoingMail());
  const parsed = await smtp.received()[0]?.parsed();
  t.match(parsed, { text: /is booked/, html: /<p>/, attachments: [] });
});

t.test('hostile names and subjects make no header and no recipient', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  await sender.send(outgoingMail());
  const usual = fieldNames(smtp.received()[0]?.raw ?? Buffer.alloc(0));
  const names = [
    'x\r\nBcc: eve@example.com',
    'x\nBcc: eve@example.com\r\n\r\n<b>body</b>',
    'x\rSubject: y',
    '\r\n.\r\nMAIL FROM:<eve@example.com>',
    'x\u0000\u000b\u0085\u2028\u2029Bcc: eve@example.com',
    'Ada" <eve@example.com>, "',
    'eve@example.com, mallory@example.com',
    'Friends: eve@example.com, mallory@example.com;',
    '<eve@example.com>',
    'Ada\\',
    'Ada (comment \\) <eve@example.com>',
    '=?utf-8?Q?x=0D=0ABcc:_eve@example.com?=',
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
    const mail: Partial<OutgoingMail> = {
      to: { name, address: 'ada@example.com' },
      replyTo: { name, address: 'hello@nightheron.example' },
      subject: name,
    };
    t.match(await sender.send(outgoingMail(mail)), { outcome: 'sent' }, shown);
    const received = smtp.received()[index + 1];
    t.same(received?.to, ['ada@example.com'], `${shown}: the envelope`);
    const raw = received?.raw ?? Buffer.alloc(0);
    const text = raw.toString('latin1');
    t.same(
      fieldNames(raw).filter((field) => field !== 'subject'),
      usual.filter((field) => field !== 'subject'),
      `${shown}: the fields`,
    );
    t.notMatch(text, /[^\r]\n|\r[^\n]/, `${shown}: line ends`);
    t.notMatch(text, /[^\r\n]{999}/, `${shown}: line lengths`);
    t.notMatch(text, /[^\t\r\n -~]/, `${shown}: ASCII`);
    const parsed = await PostalMime.parse(raw);
    t.match(
      parsed.to?.map(({ address }) => address),
      ['ada@example.com'],
      `${shown}: To`,
    );
    t.match(
      parsed.replyTo?.map(({ address }) => address),
      ['hello@nightheron.example'],
    );
    t.notMatch(parsed.subject ?? '', /[\r\n]/, `${shown}: the subject has one line`);
    t.notMatch(parsed.to?.[0]?.name ?? '', /[\r\n]/, `${shown}: the name has one line`);
    t.match(parsed.text, /^Your session is booked\.\s*$/, `${shown}: the text`);
  }
});

t.test('names that harm nothing arrive as they are', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  for (const name of [
    "Ada 'Duck' O'Neill, Jr.",
    'Zoë "Z" Müller',
    '李小龍',
    'عائشة 🦩 (she/her)',
  ]) {
    await sender.send(outgoingMail({ to: { name, address: 'ada@example.com' }, subject: name }));
    const parsed = await smtp.received().at(-1)?.parsed();
    t.same(parsed?.to, [{ name, address: 'ada@example.com' }]);
    t.equal(parsed?.subject, name);
  }
});

t.test('a name does not turn the address after it', async (t) => {
  const { smtp, sender } = await startMailSender(t);
  const named = (address: string) => ({ name: '\u202Emoc.knab \u2066of Ada', address });
  await sender.send(
    outgoingMail({ to: named('ada@example.com'), replyTo: named('ada@example.com') }),
  );
  const { to, replyTo } = await smtp.received().at(-1)!.parsed();
  const expected = [{ name: 'moc.knab of Ada', address: 'ada@example.com' }];
  t.match({ to, replyTo }, { to: expected, replyTo: expected });
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
    const mail = outgoingMail({ to: { name: 'Ada', address } });
    // Its outcome says nothing: smtp-server knows no quoted local parts.
    await sender.send(mail);
    t.same(
      smtp.commands().findLast((line) => line.startsWith('RCPT')),
      `RCPT TO:<${address}>`,
    );
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
    t.notOk(fieldNames(smtp.received().at(-1)?.raw ?? Buffer.alloc(0)).includes('reply-to'));
  }
});

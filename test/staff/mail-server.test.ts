import t from 'tap';
import { switchMailOff } from '../../src/domain/studio/mode.js';
import { isReservedForExamples, listHindrances } from '../../src/domain/studio/ready-for-others.js';
import { ageCodes } from '../support/codes.js';
import { ownDetails } from '../support/doctor.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { insertCode, insertMail, now } from '../support/mail-rows.js';
import { mailStudio } from '../support/mails.js';
import { freePort } from '../support/process.js';
import { startService } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';
import { findingOf, studioOn } from '../support/studio.js';

const smtp = await startSmtp(t);
const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'Night Heron <booking@studio.example>' };
const { context } = await startService(t, mail);
const publicBaseUrl = { PUBLIC_BASE_URL: 'https://book.studio.example' };
const studioWith = (changes: Record<string, string> = {}) =>
  studioOn(context, { ...mail, ...publicBaseUrl, ...changes });
const studio = studioWith();
const mailFinding = (changes: Record<string, string> = {}) =>
  findingOf(studioWith(changes), 'mail');
/** Of a server that has closed. */
const closed = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };

t.test('a test mail is sent at once, and the reply of the server is printed', async (t) => {
  const sent = await studio('mail test ada@example.com');
  t.match(sent, { code: 0, stdout: /accepted it \(250\)/, stderr: '' });
  const [mail] = await smtp.waitFor(1);
  t.strictSame(mail!.to, ['ada@example.com']);
  t.match(await mail!.parsed(), {
    subject: 'Test mail from Night Heron Tattoo',
    from: { address: 'booking@studio.example' },
    replyTo: [{ address: 'hello@nightheron.example' }],
  });
  t.match((await studio('mail list --json')).json(), { mails: [] });
});

t.test(
  'a test mail that fails says what to check, without address, user and password',
  async (t) => {
    t.teardown(() => smtp.misbehave(() => null));
    smtp.misbehave(({ stage }) =>
      stage === 'RCPT' ? { code: 550, text: 'ada@example.com' } : null,
    );
    const refused = await studio('mail test ada@example.com');
    t.match(refused, { code: 1, stdout: '', stderr: /refuses the recipient.*The reply was 550/ });
    t.notMatch(refused.stderr, '@');
    smtp.misbehave(({ stage }) => (stage === 'MAIL' ? { code: 550 } : null));
    t.match(await studio('mail test ada@example.com'), { stderr: /may send as MAIL_FROM/ });
    const unanswered = await studioWith(closed)('mail test ada@example.com --json');
    t.match(JSON.parse(unanswered.stderr), { error: { message: /host and port in SMTP_URL/ } });

    const strict = await startSmtp(t, { credentials: { user: 'ada', password: 'right' } });
    const wrong = studioWith({ SMTP_URL: strict.url.replace('right', 'wrong') });
    const tested = await wrong('mail test ada@example.com');
    t.match(tested, { code: 1, stderr: /refuses the login: check user and password in SMTP_URL/ });
    t.notMatch(tested.stderr, /wrong|ada/);
  },
);

t.test('doctor says for a day that the codes of an hour were used up', async (t) => {
  const { id } = await holdForPerson({ context });
  t.teardown(() => context.database.deleteFrom('mails').where('booking_id', '=', id).execute());
  const isTold = async () => {
    const { message = '' } = (await mailFinding({ MAX_CODES_PER_HOUR: '8' })) ?? {};
    return /codes of an hour .* used up/.test(message);
  };
  for (let index = 0; index < 3; index += 1) await insertCode(context, id);
  t.notOk(await isTold(), 'half of them are for everybody');
  await insertCode(context, id);
  t.ok(await isTold());
  await ageCodes({ context }, id, 23 * 3_600);
  t.ok(await isTold());
  await ageCodes({ context }, id, 3_600);
  t.notOk(await isTold());
  for (const hours of [0, 1, 1, 1, 1, 1]) {
    await ageCodes({ context }, id, hours * 3_600);
    await insertCode(context, id);
  }
  t.notOk(await isTold(), 'six, but one an hour');
});

t.test('doctor logs in to the mail server and sends nothing', async (t) => {
  const sent = smtp.received().length;
  const readiness = (changes = {}) => findingOf(studioWith(changes), 'ready for others');
  t.match(await readiness(), { status: 'warning', message: /website, email: set your own/ });
  t.match(await studio('info set --email hello@night-heron.studio'), { code: 0 });
  const on = /^On; confirming takes the link\. Connected to the mail server/;
  t.match(await mailFinding(), { status: 'ok', message: on });
  t.match(await readiness({ PUBLIC_BASE_URL: 'http://localhost:3000' }), {
    status: 'warning',
    message: /website: set your own.* Links lead to http:\/\/localhost:3000/,
  });

  const { id } = await sessionForPerson({ context });
  await insertMail(context, id, { status: 'failed' });
  await insertMail(context, id, {
    recipient: 'studio',
    status: 'pending',
    next_attempt_at: await now(context, -90),
  });
  const trouble = await mailFinding();
  t.match(trouble, { status: 'warning', message: /1 mail overdue.*1 mail failed within 7 days/ });
  t.notMatch(trouble!.message, '@');
  await switchMailOff(context, 'test');
  t.match(await mailFinding(), { status: 'warning', message: /^Off: .* until the service starts/ });
  t.equal(smtp.received().length, sent);
});

t.test('a service for others has hindrances by its host, address and proxy', (t) => {
  const studio = { ...mailStudio, ...ownDetails };
  const [here, open, secure] = ['http://localhost:3000', 'http://a.studio', 'https://a.studio'];
  const [loopback, all] = ['127.0.0.1', '0.0.0.0'];
  for (const [host, publicBaseUrl, hindrances] of [
    [loopback, here, []],
    [all, here, [/^Links lead to http:\/\/localhost:3000, which only/]],
    [all, open, []],
    [loopback, open, [/^A proxy answers at http:\/\/a\.studio/]],
    [all, secure, [/^A proxy answers/]],
    [all, 'https://localhost', [/^Links lead/, /^A proxy answers/]],
  ] as const) {
    const settings = { host, publicBaseUrl, trustProxy: [], mail: null };
    const found = listHindrances(settings, studio);
    t.equal(found.length, hindrances.length, `${host} ${publicBaseUrl}`);
    t.match(found, hindrances);
    const trusting = listHindrances({ ...settings, trustProxy: ['127.0.0.1/32'] }, studio);
    t.strictSame(
      trusting,
      found.filter((each) => !each.startsWith('A proxy')),
    );
  }
  const exposed = { host: all, publicBaseUrl: open, trustProxy: [], mail: null };
  t.match(listHindrances(exposed, { ...studio, email: 'a@b.example', street: mailStudio.street }), [
    /^The studio is still the invented one in its street, email: /,
  ]);
  t.end();
});

t.test('an address that is reserved for examples is nobody’s', async (t) => {
  const reserved = [
    'b.example',
    'example.com',
    'x.EXAMPLE.org',
    'b.test',
    'localhost',
    'b.invalid',
  ];
  for (const domain of reserved) t.ok(isReservedForExamples(`example@${domain}`), domain);
  for (const domain of ['example.de', 'myexample.com', 'latest', 'gmail.com']) {
    t.notOk(isReservedForExamples(`example@${domain}`), domain);
  }
});

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { codeLimits } from '../../src/config/limits.js';
import { adversaries, proofSentences, proofTable } from '../../src/views/proofs.js';
import { bookingRow } from '../support/bookings.js';
import { browserOn, codeInMailbox, codeMode, newestCode, wrongDigits } from '../support/codes.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson } from '../support/holds.js';
import { startMailer } from '../support/mailer.js';
import { projectRoot } from '../support/project.js';
import { callerNumber, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';
import { startOver } from '../support/start-over.js';
import { findingOf, studioOn } from '../support/studio.js';
import { visitor } from '../support/visitor.js';

/** More than the tries at one hold, and than the kinds of requests. */
const tries = Number(process.env['PROOF_TRIES'] ?? 24);

type Adversary = keyof typeof adversaries;

/** A service, and the code in a mailbox, which only who has the mailbox may read. */
interface Studio {
  service: TestService;
  readMail: (address: string) => Promise<string>;
}

/** A try to confirm a hold, from a network of its own. */
interface Try extends Studio {
  id: string;
  path: string;
  email: string;
  address: string;
  /** From 0. */
  index: number;
}

async function startStudio(t: Test, proof: 'link' | 'code'): Promise<Studio> {
  if (proof === 'link') {
    const readMail = () => Promise.reject(new Error('mail is off'));
    return { service: await startService(t, generous), readMail };
  }
  const smtp = await startSmtp(t, { tls: 'none' });
  const settings = { ...codeMode, SMTP_URL: smtp.url, MAX_CODES_PER_HOUR: '100000' };
  const service = await startService(t, settings);
  const { mailer } = await startMailer(t, service.context);
  return {
    service,
    async readMail(address) {
      await mailer.sendDue();
      return codeInMailbox(smtp, address);
    },
  };
}

/**
 * Digits from who does not read the mail. That a guess is right by chance, one in a million, is said in
 * the operator's guide and left out here.
 */
async function guess({ service, id }: Try): Promise<string> {
  return wrongDigits(await newestCode(service, id));
}

/**
 * What Chromium sends when a person opens a link and presses a button; with what `visitor` adds, the
 * service cannot tell the two apart.
 */
const chromium = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
};

async function confirmInBrowser(tried: Try, readCode: () => Promise<string>): Promise<void> {
  const { service, path, address } = tried;
  const browser = visitor(service, { address, headers: chromium, isPerson: true });
  await browser.open(path);
  const takesCode = browser.texts('button').includes('Send me the code');
  if (takesCode) await browser.press('Send me the code');
  await browser.press('Confirm my session', takesCode ? { code: await readCode() } : {});
}

const signsOfAgents = [
  { 'signature-agent': '"https://agent.example"' },
  { authorization: `Bearer tsk_${'a'.repeat(38)}` },
];

/** Requests that need nothing but the id, to paths where a link or an operation might be. */
const requestsById = (id: string) =>
  [
    { method: 'POST', url: `/checkout/${id}` },
    { method: 'POST', url: `/checkout/${id.replaceAll('-', '').padEnd(43, '0')}` },
    { method: 'POST', url: `/checkout/${createHash('sha256').update(id).digest('base64url')}` },
    { method: 'POST', url: `/api/public/bookings/${id}` },
    { method: 'POST', url: `/api/public/bookings/${id}/confirm` },
    { method: 'PUT', url: `/api/public/bookings/${id}` },
    { method: 'PATCH', url: `/api/public/bookings/${id}` },
    { method: 'DELETE', url: `/api/public/bookings/${id}` },
  ] as const;

const attempts: Record<Adversary, (tried: Try) => Promise<unknown>> = {
  /** It opens no page, but sends the `Origin` that the form must have, and keeps the cookie. */
  async script(tried) {
    const { press } = browserOn(tried.service, tried.address);
    if ((await press(tried.path, 'confirm')).statusCode === 303) return;
    await press(tried.path, 'send_code');
    await press(tried.path, 'confirm', { fields: { code: await guess(tried) } });
  },
  declaredAgent({ service, path, address, index }) {
    const headers = signsOfAgents[index % signsOfAgents.length]!;
    return pressOn(service, path, 'confirm', { from: address, headers });
  },
  browser: (tried) => confirmInBrowser(tried, () => guess(tried)),
  mailReader: (tried) => confirmInBrowser(tried, () => tried.readMail(tried.email)),
  idHolder({ service, id, address, index }) {
    const requests = requestsById(id);
    const { method, url } = requests[index % requests.length]!;
    if (url.startsWith('/checkout/')) return pressOn(service, url, 'confirm', { from: address });
    const payload = { status: 'confirmed' };
    return service.app.inject({ method, url, payload, remoteAddress: address });
  },
};

/** How many of the tries confirm. A hold that stays pending is tried as often as it can have codes. */
async function countConfirmed(studio: Studio, adversary: Adversary): Promise<number> {
  const { service } = studio;
  const { context } = service;
  await startOver(context);
  let confirmed = 0;
  let held: Pick<Try, 'id' | 'path' | 'email'> | null = null;
  for (const [index, slot] of (await someOpenSlots(context, tries)).entries()) {
    if (held === null || index % codeLimits.bookingDay === 0) {
      const person = personNumber(index);
      const { id, token } = await holdForPerson(service, person, slot);
      held = { id, path: `/checkout/${token}`, email: person.email };
    }
    const { address } = callerNumber(index);
    await attempts[adversary]({ ...studio, ...held, address, index });
    const { status } = await bookingRow(context, held.id);
    if (status === 'pending') continue;
    confirmed += Number(status === 'confirmed');
    held = null;
  }
  return confirmed;
}

for (const proof of ['link', 'code'] as const) {
  t.test(`CONFIRMATION=${proof} stops whom the guide and doctor say`, async (t) => {
    const studio = await startStudio(t, proof);
    for (const adversary of Object.keys(adversaries) as Adversary[]) {
      const { words, stoppedBy } = adversaries[adversary];
      const isStopped = (stoppedBy as readonly string[]).includes(proof);
      t.equal(await countConfirmed(studio, adversary), isStopped ? 0 : tries, words);
    }
    const { app, context } = studio.service;
    t.ok((await app.inject('/guide.md')).body.includes(proofTable()));
    const message = proofSentences(proof);
    t.match(await findingOf(studioOn(context), 'confirmation'), { status: 'ok', message });
  });
}

t.test('the measured table is that of confirmation.md', async (t) => {
  const guide = await readFile(join(projectRoot, 'scripts/operations/confirmation.md'), 'utf8');
  const compact = guide.replaceAll(/ {2,}/g, ' ').replaceAll(/-{4,}/g, '---');
  t.ok(compact.includes(proofTable()));
});

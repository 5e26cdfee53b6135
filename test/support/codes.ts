import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import type { Slot } from '../../src/schedule/slots.js';
import { confirmationCode } from '../../src/secrets/confirmation-code.js';
import { bookingRow } from './bookings.js';
import { cookieOf, pressOn } from './forms.js';
import { holdForPerson } from './holds.js';
import { personNumber } from './requests.js';
import { generous, mailFrom, type TestService } from './service.js';
import type { Smtp } from './smtp.js';

type Entrance = Pick<TestService, 'app' | 'context'>;

/** A browser at an address, which keeps the cookies that pages give it. */
export function browserOn(service: Entrance, from = '127.0.0.1') {
  let cookie = '';
  const keep = (answer: LightMyRequestResponse) => {
    cookie = cookieOf(answer) || cookie;
    return answer;
  };
  return {
    open: async (url: string) =>
      keep(
        await service.app.inject({
          url,
          headers: { accept: 'text/html', ...(cookie !== '' && { cookie }) },
          remoteAddress: from,
        }),
      ),
    press: async (path: string, action: string, press: Parameters<typeof pressOn>[3] = {}) =>
      keep(await pressOn(service, path, action, { cookie, from, ...press })),
  };
}

let people = 0;

/** A hold, by default of another person each time, and that person's browser on another network. */
export async function holdWithBrowser(
  service: TestService,
  person?: Parameters<typeof holdForPerson>[1],
  slot?: Slot,
) {
  people += 1;
  const held = await holdForPerson(service, person ?? personNumber(people), slot);
  const path = `/checkout/${held.token}`;
  const browser = browserOn(service, `10.1.${people}.1`);
  return {
    ...held,
    path,
    browser,
    ask: () => browser.press(path, 'send_code'),
    press: (action: string, code: string, sequence = '0') =>
      browser.press(path, action, { fields: { code, sequence } }),
    row: () => bookingRow(service.context, held.id),
    code: () => newestCode(service, held.id),
  };
}

/** The digits of the booking's newest code. */
export async function newestCode(service: Pick<TestService, 'context'>, bookingId: string) {
  const codes = await codesOf(service, bookingId);
  return confirmationCode(service.context.keyring, codes.at(-1)!.id);
}

/** Six digits that are not the given ones. */
export function wrongDigits(right: string, index = 1): string {
  return String((Number(right) + index) % 1_000_000).padStart(6, '0');
}

/** The digits in the mail number `count` with a code to an address, once it has arrived. */
export async function codeInMailbox(smtp: Smtp, address: string, count = 1): Promise<string> {
  for (let total = Math.max(count, smtp.received().length); ; total += 1) {
    const mails = (await smtp.waitFor(total)).filter(({ to }) => to.includes(address));
    const codes = [];
    for (const mail of mails) {
      const { text = '' } = await mail.parsed();
      codes.push(...(/^\d{6}$/m.exec(text) ?? []));
    }
    const newest = codes[count - 1];
    if (newest !== undefined) return newest;
  }
}

/** Makes the codes of a booking older. */
export async function ageCodes(
  { context: { database } }: Pick<TestService, 'context'>,
  bookingId: string,
  seconds: number,
): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`;
  await sql`
    update mails set created_at = created_at - ${by}, lapses_at = lapses_at - ${by},
      opened_at = opened_at - ${by}
    where booking_id = ${bookingId} and kind = 'code'`.execute(database);
}

/** Mail is on; nothing is sent, since no worker runs. */
export const mailOn = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: mailFrom };
export const codeMode = { ...generous, ...mailOn, CONFIRMATION: 'code' };

/** The mails with a booking's codes, oldest first. */
export async function codesOf({ context: { database } }: Pick<TestService, 'context'>, id: string) {
  return database
    .selectFrom('mails')
    .selectAll()
    .where('booking_id', '=', id)
    .where('kind', '=', 'code')
    .orderBy('position')
    .execute();
}

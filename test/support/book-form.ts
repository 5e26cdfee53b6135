import { randomUUID } from 'node:crypto';
import { load } from 'cheerio';
import type { LightMyRequestResponse } from 'fastify';
import { personMembers } from '../../src/domain/booking/person.js';
import { slotKey, type Slot } from '../../src/schedule/slots.js';
import type { TypedPerson } from '../../src/web/person-form.js';
import { postForm, type FormFields, type Posting } from './forms.js';
import type { TestService } from './service.js';

/** The form of a slot with valid answers, and a nonce of its own. */
export function bookForm(slot: Slot, changes: FormFields = {}): FormFields {
  return {
    action: 'hold',
    nonce: randomUUID(),
    slot: slotKey(slot),
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
    pronouns: '',
    idea: '',
    ...changes,
  };
}

/** The form that lets a hold go. */
export function releaseForm(bookingId: string, sequence = 0): FormFields {
  return { action: 'release', hold: bookingId, sequence: String(sequence) };
}

export interface BookPosting extends Posting {
  address?: string;
}

/** Posts to `/book` as a browser does. `cookie`: the token in the cookie `hold`. */
export function postBook(
  service: Pick<TestService, 'app' | 'context'>,
  fields: FormFields | string | Buffer,
  { cookie, address = '192.0.2.1', ...posting }: BookPosting = {},
): Promise<LightMyRequestResponse> {
  const kept = cookie && `hold=${cookie}`;
  return postForm(service, '/book', fields, { ...posting, cookie: kept, from: address });
}

/** The token of the checkout page that a form has led to. */
export function tokenOf({ headers: { location } }: LightMyRequestResponse): string {
  return /^\/checkout\/([\w-]{43})$/.exec(String(location))?.[1] ?? `no token in ${location}`;
}

/** What a page shows in the fields of the form. */
export function typedIn(html: string): TypedPerson {
  const $ = load(html);
  return Object.fromEntries(
    personMembers.map((name) => [name, String($(`#${name}`).val() ?? `there is no ${name}`)]),
  ) as TypedPerson;
}

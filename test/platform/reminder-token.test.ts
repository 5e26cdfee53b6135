import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createKeyring } from '../../src/platform/keyring.js';
import { bookingIdOfReminderToken, reminderToken } from '../../src/platform/reminder-token.js';
import { isCheckoutToken } from '../../src/platform/tokens.js';

const [key, otherKey] = ['one key'.padEnd(32, '.'), 'another key'.padEnd(32, '.')] as const;
const keyring = createKeyring(key);
const id = randomUUID();

t.test('a token names its booking, also after the key was changed once', async (t) => {
  const token = reminderToken(keyring, id);
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  t.equal(bookingIdOfReminderToken(keyring, token), id);
  t.equal(bookingIdOfReminderToken(createKeyring(otherKey, key), token), id);
  t.equal(bookingIdOfReminderToken(createKeyring(otherKey), token), null);
});

t.test('nobody can make the token of a booking from its id, or from another token', async (t) => {
  const token = reminderToken(keyring, id);
  const other = reminderToken(keyring, randomUUID());
  const mixed = Buffer.concat([
    Buffer.from(token, 'base64url').subarray(0, 16),
    Buffer.from(other, 'base64url').subarray(16),
  ]).toString('base64url');
  t.ok(isCheckoutToken(mixed), 'it has the form of a token');
  for (const wrong of [mixed, '', token.slice(1), `${token}A`, `${token.slice(0, -1)}=`, id]) {
    t.equal(bookingIdOfReminderToken(keyring, wrong), null, wrong);
  }
});

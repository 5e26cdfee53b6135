import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { findKeyring, openNewKeyring } from '../../src/database/installation-key.js';
import {
  confirmationCode,
  isConfirmationCode,
  readTypedCode,
} from '../../src/secrets/confirmation-code.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import {
  bookingIdInReminderToken,
  isReminderToken,
  reminderToken,
} from '../../src/secrets/links.js';
import { createCredential, isCheckoutToken, isCredential } from '../../src/secrets/tokens.js';
import { mode, temporaryFolder } from '../support/embedded.js';

const former = 'the former secret key of this installation';
const present = 'the present secret key of this installation';
const during = createKeyring(present, former);
const [id, other] = [randomUUID(), randomUUID()];
const booking = { id, current_token_sealed: null };

void t.test('a code has six digits, all of which occur, and differs by mail and key', async (t) => {
  const ids = Array.from({ length: 500 }, (_, index) => `5d2f9c1e-7a64-4c0b-9a43-${index}`);
  const codes = ids.map((each) => confirmationCode(createKeyring(present), each));
  t.ok(codes.every((code) => /^\d{6}$/.test(code)));
  t.ok(new Set(codes).size > 495);
  const digits = codes.flatMap((code) => [...code].map((digit, place) => place + digit));
  t.equal(new Set(digits).size, 60);
  const others = ids.map((each) => confirmationCode(createKeyring(former), each));
  t.ok(others.filter((code, index) => code === codes[index]).length < 3);
});

void t.test('a code is accepted with both keys of a rotation, whichever made it', async (t) => {
  for (const keyring of [createKeyring(former), createKeyring(present)]) {
    const code = confirmationCode(keyring, id);
    t.ok(isConfirmationCode(during, id, code));
    t.ok(isConfirmationCode(keyring, id, code));
    t.notOk(isConfirmationCode(during, other, code), 'not for another mail');
  }
  const old = confirmationCode(createKeyring(former), id);
  t.notOk(isConfirmationCode(createKeyring(present), id, old), 'and not after the rotation');
  for (const wrong of ['', '12345', '1234567', 'abcdef']) {
    t.notOk(isConfirmationCode(during, id, wrong), wrong);
  }
});

void t.test('what a person types may have spaces; only six digits are a code', async (t) => {
  for (const typed of ['048315', ' 048 315 ', '048-315']) t.equal(readTypedCode(typed), '048315');
  for (const typed of ['', '48315', '0483155', '04831a', '٠٤٨٣١٥', ['048315'], undefined, null]) {
    t.equal(readTypedCode(typed), null, String(typed));
  }
});

void t.test('a reminder token names its booking, also after the key was changed', async (t) => {
  const token = reminderToken(createKeyring(former), booking);
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  t.equal(bookingIdInReminderToken(token), id);
  t.ok(isReminderToken(createKeyring(former), token, booking));
  t.ok(isReminderToken(during, token, booking));
  t.notOk(isReminderToken(createKeyring(present), token, booking));
});

void t.test(
  'nobody can make the token of a booking from its id, or from another token',
  async (t) => {
    const token = reminderToken(during, booking);
    const corrected = { id, current_token_sealed: Buffer.from('sealed') };
    const mixed = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 16),
      Buffer.from(reminderToken(during, { ...booking, id: other }), 'base64url').subarray(16),
    ]).toString('base64url');
    t.ok(isCheckoutToken(mixed), 'it has the form of a token');
    for (const wrong of ['', token.slice(1), `${token}A`, `${token.slice(0, -1)}=`, id]) {
      t.equal(bookingIdInReminderToken(wrong), null, wrong);
    }
    const ofCorrected = reminderToken(during, corrected);
    for (const wrong of [mixed, ofCorrected]) t.notOk(isReminderToken(during, wrong, booking));
    t.notOk(isReminderToken(during, token, corrected), 'nor go on with one after a correction');
    t.ok(isReminderToken(during, ofCorrected, corrected));
  },
);

void t.test('a credential is recognized by its form, and a mistyped one is rejected', async (t) => {
  const key = createCredential('tsk');
  t.match(key, /^tsk_[0-9A-Za-z]{38}$/);
  t.ok(isCredential('tsk', key));
  t.notOk(isCredential('tsm', key));
  t.notOk(isCredential('tsm', key.replace('tsk_', 'tsm_')));
  t.notOk(isCredential('tsk', `${key}0`));
  t.notOk(isCredential('tsk', key.slice(0, -1)));
  for (let position = 4; position < key.length; position += 1) {
    const [before, digit, after] = [key[position - 1]!, key[position]!, key.slice(position + 1)];
    const typed = digit === 'a' ? 'b' : 'a';
    t.notOk(isCredential('tsk', key.slice(0, position) + typed + after));
    if (position === 4 || before === digit) continue;
    const swapped = key.slice(0, position - 1) + digit + before + after;
    t.notOk(isCredential('tsk', swapped), 'two characters swapped');
  }
});

void t.test('credentials do not repeat, and use every digit', async (t) => {
  const credentials = Array.from({ length: 500 }, () => createCredential('tsm'));
  t.equal(new Set(credentials).size, credentials.length);
  t.ok(credentials.every((credential) => isCredential('tsm', credential)));
  t.equal(new Set(credentials.map((credential) => credential.slice(4, 36)).join('')).size, 62);
});

const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const hasModes = { skip: process.platform === 'win32' && 'Windows has no modes' };
const stranger = 65_534;
const mayGiveAway = { skip: uid !== 0 && 'only root may give a file to another user' };

/** A data folder in which a start has made its secret key. */
async function folderWithKey(t: Test) {
  const dataDir = join(await temporaryFolder(t), 'data');
  const config = loadConfig({ DATA_DIR: dataDir });
  const { currentKeyId } = await openNewKeyring(config);
  return { dataDir, config, path: join(dataDir, 'secret-key'), currentKeyId };
}

void t.test(
  'a secret key file that others may read or write is rejected with the remedy, and left unchanged',
  hasModes,
  async (t) => {
    const { config, path, currentKeyId } = await folderWithKey(t);
    t.equal(await mode(path), '600', 'as it is made');
    for (const allowed of [0o600, 0o400]) {
      await chmod(path, allowed);
      t.match(await openNewKeyring(config), { currentKeyId });
    }
    const secret = await readFile(path, 'utf8');
    for (const shared of [0o640, 0o604, 0o644, 0o620, 0o602, 0o666, 0o777]) {
      await chmod(path, shared);
      const message = new RegExp(`\\(mode 0${shared.toString(8)}\\)\\. Run "chmod 600 ${path}"`);
      await t.rejects(openNewKeyring(config), { name: 'ConfigError', message });
      await t.rejects(findKeyring(config), { name: 'ConfigError', message });
      t.equal(await readFile(path, 'utf8'), secret);
      t.equal(await mode(path), shared.toString(8));
    }
  },
);

void t.test('a secret key file of another user is rejected', mayGiveAway, async (t) => {
  const { dataDir, config, path, currentKeyId } = await folderWithKey(t);
  await chown(path, stranger, gid);
  await t.rejects(openNewKeyring(config), {
    name: 'ConfigError',
    message: /another user \(65534\)/,
  });
  // Root, in a folder of the user that the service runs as.
  await chown(dataDir, stranger, gid);
  t.match(await openNewKeyring(config), { currentKeyId });
});

void t.test('an unreadable secret key file is reported in a sentence', async (t) => {
  const { config, path } = await folderWithKey(t);
  await rm(path);
  await mkdir(path, { mode: 0o700 });
  const message = /cannot be read \(EISDIR\)/;
  await t.rejects(openNewKeyring(config), { name: 'ConfigError', message });
});

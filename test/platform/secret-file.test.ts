import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadConfig } from '../../src/config.js';
import { findKeyring, openKeyring } from '../../src/database/installation-key.js';
import { mode, temporaryFolder } from '../support/embedded.js';
import { launch } from '../support/process.js';
import { studioIn } from '../support/studio.js';

const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const isWindows = process.platform === 'win32';
const hasModes = { skip: isWindows && 'Windows has no modes' };
const stranger = 65_534;
const mayGiveAway = { skip: uid !== 0 && 'only root may give a file to another user' };

/** A data folder in which a start has made its secret key. */
async function folderWithKey(t: Test) {
  const dataDir = join(await temporaryFolder(t), 'data');
  const config = loadConfig({ DATA_DIR: dataDir });
  const { currentKeyId } = await openKeyring(config);
  return { dataDir, config, path: join(dataDir, 'secret-key'), currentKeyId };
}

void t.test(
  'a secret key file with permissions for its owner only is accepted',
  hasModes,
  async (t) => {
    const { config, path, currentKeyId } = await folderWithKey(t);
    t.equal(await mode(path), '600', 'as it is made');
    for (const allowed of [0o600, 0o400]) {
      await chmod(path, allowed);
      t.match(await openKeyring(config), { currentKeyId });
    }
  },
);

void t.test(
  'a secret key file that others may read or write is rejected with the remedy, and left unchanged',
  hasModes,
  async (t) => {
    const { config, path } = await folderWithKey(t);
    const secret = await readFile(path, 'utf8');
    for (const shared of [0o640, 0o604, 0o644, 0o620, 0o602, 0o666, 0o777]) {
      await chmod(path, shared);
      const message = new RegExp(`\\(mode 0${shared.toString(8)}\\)\\. Run "chmod 600 ${path}"`);
      await t.rejects(openKeyring(config), { name: 'ConfigError', message });
      await t.rejects(findKeyring(config), { name: 'ConfigError', message });
      t.equal(await readFile(path, 'utf8'), secret);
      t.equal(await mode(path), shared.toString(8));
    }
  },
);

void t.test('a secret key file of another user is rejected', mayGiveAway, async (t) => {
  const { dataDir, config, path, currentKeyId } = await folderWithKey(t);
  await chown(path, stranger, gid);
  await t.rejects(openKeyring(config), { name: 'ConfigError', message: /another user \(65534\)/ });
  // Root, in a folder of the user that the service runs as.
  await chown(dataDir, stranger, gid);
  t.match(await openKeyring(config), { currentKeyId });
});

void t.test('an unreadable secret key file is reported in a sentence', async (t) => {
  const { config, path } = await folderWithKey(t);
  await rm(path);
  await mkdir(path, { mode: 0o700 });
  await t.rejects(openKeyring(config), {
    name: 'ConfigError',
    message: /cannot be read \(EISDIR\)/,
  });
});

void t.test(
  'a start with a secret key file that others may read ends with that sentence, and doctor reports it',
  hasModes,
  async (t) => {
    const { dataDir, path } = await folderWithKey(t);
    await chmod(path, 0o666);
    const start = launch(t, { DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    t.equal(await start.ended, 1);
    t.match(start.output(), /^Other users of this machine may read or write .*\n$/);
    const examined = await studioIn({ DATA_DIR: dataDir })('doctor');
    t.match(examined, { code: 5, stdout: /✗ secret key +Other users .*chmod 600/ });
  },
);

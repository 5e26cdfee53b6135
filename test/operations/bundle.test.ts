import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { createTestDatabase } from '../support/database.js';
import { legacyRequest, modernRequest, post } from '../support/mcp.js';
import { freePort, spawnService } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { secretKey } from '../support/service.js';

/** Most tests run the service's modules as compiled, so only here a fault of bundling is seen. */
void t.test('the bundled programs serve what a start does not load', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = {
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    PORT: String(port),
    PUBLIC_BASE_URL: url,
  };
  await spawnService(t, environment);
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const { status } = await fetch(`${url}${path}`, {
      headers: { accept: 'text/html', cookie: '_ga=1', ...headers },
      redirect: 'manual',
    });
    return status;
  };

  await t.test('pages, also for browsers that have cookies of others', async (t) => {
    for (const path of ['/', '/book', '/docs/', '/embed.js', '/guide.md', '/api/public/studio']) {
      t.equal(await read(path), 200, path);
    }
    t.equal(await read('/console'), 401);
    t.equal(await read('/console/sign-in/passkey-options'), 200);
  });

  await t.test('signing in with a link that the command prints', async (t) => {
    const command = [bundledProgram('studio'), 'console', 'link', '--name', 'Ada', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { ...process.env, ...environment },
    });
    const link = /http:[^"\s]+/.exec(stdout)?.[0] ?? '';
    const answer = await fetch(`http://127.0.0.1:${port}${new URL(link).pathname}`, {
      method: 'POST',
      headers: { origin: url, accept: 'text/html' },
      body: new URLSearchParams(),
      redirect: 'manual',
    });
    t.equal(answer.status, 303);
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    t.equal(await read('/console', { cookie }), 200);
  });

  await t.test('the connector, in both versions of the protocol', async (t) => {
    const modern = modernRequest('tools/list');
    const calls = [
      await post(`http://127.0.0.1:${port}`, legacyRequest('tools/list')),
      await post(`http://127.0.0.1:${port}`, modern.body, modern.headers),
    ];
    for (const { status, text } of calls) {
      t.equal(status, 200);
      t.match(text, /hold_slot/);
    }
  });
});

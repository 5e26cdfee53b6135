import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { readDocument } from '../support/document.js';
import { startTestService } from '../support/service.js';
import { projectRoot } from '../support/project.js';

const run = promisify(execFile);
const settings = join(projectRoot, 'scripts', 'settings');
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** What a linter says of a file; empty when it is content. */
function lint(program: string, ...args: string[]): Promise<string> {
  return run(join(projectRoot, 'node_modules', '.bin', program), ['lint', ...args], { env }).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

void t.test(
  '/openapi.json is valid OpenAPI 3.1 by the strict rules of Redocly and by Spectral',
  async (t) => {
    const { app } = await startTestService(t);
    const served = await app.inject('/api/public/openapi.json');
    const file = join(t.testdir(), 'openapi.json');
    await writeFile(file, served.body);
    t.match(served.json(), { openapi: /^3\.1\.\d$/, info: { version: '2.0.0' } });
    t.equal(await lint('redocly', '--config', join(settings, 'redocly.yaml'), file), '');
    const spectral = ['--ruleset', join(settings, 'spectral.yaml'), '--fail-severity', 'hint'];
    t.equal(await lint('spectral', ...spectral, file), '');
  },
);

void t.test('/openapi.json is openapi.yaml, at the public address', async (t) => {
  const { app } = await startTestService(t);
  const { servers, ...served } = (await app.inject('/api/public/openapi.json')).json<
    Record<string, unknown>
  >();
  const { servers: _servers, ...written } = readDocument();
  t.match(servers, [{ url: 'http://studio.test' }]);
  t.strictSame(served, written);
});

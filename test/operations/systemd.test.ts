import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import t from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { findProgram } from '../support/process.js';
import { projectRoot } from '../support/project.js';

const run = promisify(execFile);
const readText = (path: string) => readFile(join(projectRoot, path), 'utf8');
const unit = await readText('scripts/operations/studio.service');
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

void t.test('the unit runs what npm start runs, with settings that it accepts', async (t) => {
  const { scripts } = JSON.parse(await readText('package.json')) as { scripts: { start: string } };
  const start = scripts.start.replace('scripts/run.js ', '/opt/studio/dist/bundle/');
  t.equal(setting('ExecStart'), `/usr/bin/${start}`);
  const [node = '', program = ''] = setting('ExecStart').split(/ (?:--\S+ )*/);
  t.match(
    await readText('scripts/operations/README.md'),
    ` -p EnvironmentFile=${setting('EnvironmentFile')} \\\n  ${node} ${program.replace('main', 'studio')} `,
    'commands get the settings of the unit, by systemd',
  );
  t.ok(Number(setting('TimeoutStopSec')) > 10, 'a stop takes ten seconds at most');
  t.match(
    loadConfig(parseEnv(await readText('scripts/operations/studio.env')) as Record<string, string>),
    {
      publicBaseUrl: 'https://book.example.com',
      dataDir: `/var/lib/${setting('StateDirectory')}`,
      trustProxy: ['127.0.0.1/32'],
    },
  );
});

const skip = findProgram('systemd-analyze') === null && 'no systemd-analyze on this machine';

void t.test('systemd knows every line of the unit, and calls it confined', { skip }, async (t) => {
  const file = join(t.testdir(), 'studio.service');
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', file]);
  t.equal(stdout + stderr, '');
  // In tenths: 1.5 of 10, of which the network and V8's own code are most.
  await t.resolves(
    run('systemd-analyze', ['security', '--offline=true', '--threshold=15', '--no-pager', file]),
  );
});

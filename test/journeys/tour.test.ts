import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { confirmAsPerson } from '../support/forms.js';
import { findProgram } from '../support/process.js';
import { projectRoot } from '../support/project.js';
import { generous, startService } from '../support/service.js';

const run = promisify(execFile);
const skip = findProgram('curl') === null && 'no curl on this machine';

void t.test(
  'the tour of README.md books when its commands are copied in order',
  { skip },
  async (t) => {
    const { url } = await startService(t, generous, { isReachable: true });
    const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
    const [, tour = ''] = /^## A tour$(.*?)^## /ms.exec(readme) ?? [];
    const [find = '', hold = '', read = ''] = Array.from(
      tour.matchAll(/^```sh\n(.*?)^```$/gms),
      ([, commands = '']) => commands.replace('http://127.0.0.1:3000', url),
    );
    const inShell = async (commands: string, variables: Record<string, string> = {}) =>
      (await run('sh', ['-c', commands], { env: { ...process.env, ...variables } })).stdout;

    const printed = await inShell(`${find}${hold}printf '\\n%s' "$hold"`);
    const held = printed.slice(printed.lastIndexOf('\n') + 1);
    const { data } = JSON.parse(held) as { data: { status: string; checkout_url: string } };
    t.equal(data.status, 'pending');
    await confirmAsPerson(data.checkout_url);
    const [definition = ''] = /^pick\(\).*\n/m.exec(hold) ?? [];
    const answer = await inShell(`${definition}${read}`, { api: `${url}/api/public`, hold: held });
    t.match(answer, '"status":"confirmed"');
  },
);

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.js';

/**
 * The lowest version of each package without a known fault, and the advisory of that fault
 * (https://github.com/advisories/…). An advisory about a package that the service runs adds a line.
 */
const floors: Readonly<Record<string, [version: string, advisory: string]>> = {
  '@modelcontextprotocol/sdk': ['1.26.0', 'GHSA-345p-7cg4-v4c7'],
  ajv: ['8.18.0', 'GHSA-2g4f-4pwh-qvx6'],
  'body-parser': ['2.2.1', 'GHSA-wqch-xfxh-vrr4'],
  cookie: ['0.7.0', 'GHSA-pxg6-pf52-xh8x'],
  'cross-spawn': ['7.0.5', 'GHSA-3xgq-45jq-v275'],
  'fast-uri': ['3.1.6', 'GHSA-5jgf-p345-68v8'],
  fastify: ['5.8.5', 'GHSA-247c-9743-5963'],
  'find-my-way': ['9.0.1', 'GHSA-rrr8-f88r-h8q6'],
  hono: ['4.11.4', 'GHSA-3vhc-576x-3qv4'],
  nodemailer: ['9.0.1', 'GHSA-p6gq-j5cr-w38f'],
  preact: ['10.28.2', 'GHSA-36hm-qxxp-pg3m'],
  qs: ['6.16.0', 'GHSA-x5fp-wj9c-mxmx'],
  undici: ['7.28.0', 'GHSA-38rv-x7px-6hhq'],
};

void t.test('no package that the service runs is below the fix of a known advisory', async (t) => {
  const lock = JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: true }>;
  };
  for (const [name, [floor, advisory]] of Object.entries(floors)) {
    const locked = Object.entries(lock.packages).filter(
      ([path, { dev }]) => path.endsWith(`node_modules/${name}`) && dev !== true,
    );
    t.ok(locked.length > 0, `${name} is in use: otherwise its line goes`);
    for (const [path, { version }] of locked) {
      const isSafe = version.localeCompare(floor, 'en', { numeric: true }) >= 0;
      t.ok(isSafe, `${path} ${version}: ${advisory} is mended in ${floor}`);
    }
  }
});

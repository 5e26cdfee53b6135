import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import t from 'tap';
import { compile, createProject, linkPackages, runForPerson } from '../support/consumer.js';
import type { Json } from '../support/document.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { hasTools, importTool, type ClientGenerator } from '../support/tools.js';

const run = promisify(execFile);
const hasGo = await run('go', ['version']).then(
  () => true,
  () => false,
);
const service = await startService(t, generous, { isReachable: true });
const { body: served } = await service.app.inject('/api/public/openapi.json');
/** The two generators are among the packages of scripts/tools. */
const noTools = !hasTools() && 'scripts/tools is not installed';
const patterns = [...new Set(patternsIn(JSON.parse(served) as Json))];

function patternsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pattern } = value as { pattern?: Json };
  const inner = Object.values(value).flatMap(patternsIn);
  return typeof pattern === 'string' ? [pattern, ...inner] : inner;
}

t.test('every pattern of the served document means the same with and without u', async (t) => {
  t.ok(patterns.length > 5);
  for (const pattern of patterns) {
    t.notMatch(pattern, /\0|\\u|\\0|\\p|\\[1-9]|\(\?[=!<]/u, 'no engine lacks what it uses');
    t.match(new RegExp(pattern, 'u'), RegExp);
    t.match(new RegExp(pattern), RegExp);
  }
});

const goProgram = `package main

import (
	"encoding/json"
	"os"
	"regexp"
)

func main() {
	var patterns []string
	if err := json.Unmarshal([]byte(os.Args[1]), &patterns); err != nil {
		panic(err)
	}
	for _, pattern := range patterns {
		regexp.MustCompile(pattern)
	}
}
`;

t.test('Go compiles every pattern', { skip: !hasGo && 'go is not installed' }, async (t) => {
  const project = await createProject(t, { 'patterns.go': goProgram });
  await t.resolves(run('go', ['run', join(project, 'patterns.go'), JSON.stringify(patterns)]));
});

interface Orval {
  generate: (options: {
    input: { target: string };
    output: { client: 'zod'; target: string; mode: 'single' };
  }) => Promise<unknown>;
}

const program = `
import { client } from './api/client.gen.js';
import { createHold, getBooking, getStudio, listAvailability } from './api/index.js';

const [from = '', to = ''] = process.argv.slice(2);
const studio = await getStudio({ throwOnError: true });
console.log('studio', studio.data.data.name, 'at', client.getConfig().baseUrl);
const { data: open } = await listAvailability({ query: { from, to }, throwOnError: true });
const [day] = open.data.days;
const time_slot = day?.slots[0]?.time_slot;
if (day === undefined || time_slot === undefined) throw new Error('nothing is open');
const body = { date: day.date, time_slot, name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' };
const { data: held } = await createHold({ body, headers: { 'Idempotency-Key': 'one' }, throwOnError: true });
console.log(held.data.handoff.message, held.data.checkout_url);
const path = { id: held.data.id };
const { data: booking } = await getBooking({ path, headers: { Prefer: 'wait=60' }, throwOnError: true });
console.log('status', booking.data.status);
const { error } = await createHold({ body });
console.log('refused', error?.error.code, error?.error.alternatives?.length);
declare const process: { argv: string[] };
`;

const parsing = `
import { CreateHoldBody } from './orval.js';
import { zHoldRequest } from './zod/zod.gen.js';
const person = { email: 'ada@example.com', phone: '+1 (503) 555-0199', idea: '🦩' };
export const names = [CreateHoldBody, zHoldRequest].flatMap((schema) =>
  ['Zoë 👩🏽‍🎨', '𠮷野 家', '𰻞'].map(
    (name) => schema.parse({ date: '2026-12-01', time_slot: '1:00 PM', name, ...person }).name));
`;

t.test(
  'a client that another generator makes of the served document books a slot',
  { skip: noTools },
  async (t) => {
    const { createClient } = await importTool<ClientGenerator>('@hey-api/openapi-ts');
    const project = await createProject(t, { 'openapi.json': served, 'program.ts': program });
    await createClient({
      input: join(project, 'openapi.json'),
      output: { path: join(project, 'api'), module: { extension: '.js' } },
      logs: { level: 'silent', file: false },
    });
    t.equal(await compile(project, 'typescript', { module: 'nodenext' }), '');
    const [slot] = await someOpenSlots(service.context, 1);
    t.match(await runForPerson(t, project, 'program.js', [slot.date, slot.date]), [
      `studio Night Heron Tattoo at ${service.url}`,
      /^Your session on .* http/,
      'status confirmed',
      'refused slot_unavailable 5',
    ]);
  },
);

t.test(
  'zod schemas made by two generators accept names beyond 16 bits',
  { skip: noTools },
  async (t) => {
    const { createClient } = await importTool<ClientGenerator>('@hey-api/openapi-ts');
    const { generate } = await importTool<Orval>('orval');
    const project = await createProject(t, { 'openapi.json': served, 'parsing.ts': parsing });
    await linkPackages(project, ['zod']);
    const input = join(project, 'openapi.json');
    await generate({
      input: { target: input },
      output: { client: 'zod', target: join(project, 'orval.ts'), mode: 'single' },
    });
    await createClient({
      input,
      output: { path: join(project, 'zod'), module: { extension: '.js' } },
      plugins: ['zod'],
      logs: { level: 'silent', file: false },
    });
    for (const made of ['orval.ts', 'zod/zod.gen.ts']) {
      t.notOk((await readFile(join(project, made), 'utf8')).includes('\0'), `${made} is text`);
    }
    const outfile = join(project, 'parsing.mjs');
    const entryPoints = [join(project, 'parsing.ts')];
    await build({ entryPoints, outfile, bundle: true, format: 'esm', logLevel: 'silent' });
    const { names } = (await import(outfile)) as { names: string[] };
    const wanted = ['Zoë 👩🏽‍🎨', '𠮷野 家', '𰻞'];
    t.strictSame(names, [...wanted, ...wanted]);
  },
);

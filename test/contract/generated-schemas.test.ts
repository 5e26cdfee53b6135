import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { generate } from 'orval';
import t from 'tap';
import { compile, createProject, linkPackages } from '../support/consumer.js';
import type { Json } from '../support/document.js';
import { startTestService } from '../support/service.js';

const run = promisify(execFile);
const hasGo = await run('go', ['version']).then(
  () => true,
  () => false,
);
const { app } = await startTestService(t);
const { body: served } = await app.inject('/api/public/openapi.json');
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

const program = `
import { CreateHoldBody } from './orval.js';
import { zHoldRequest } from './zod.gen.js';
const person = { email: 'ada@example.com', phone: '+1 (503) 555-0199', idea: '🦩' };
for (const schema of [CreateHoldBody, zHoldRequest]) {
  for (const name of ['Zoë 👩🏽‍🎨', '𠮷野 家', '𰻞']) {
    console.log(schema.parse({ date: '2026-12-01', time_slot: '1:00 PM', name, ...person }).name);
  }
}
`;

t.test('zod schemas made by two generators accept names beyond 16 bits', async (t) => {
  const project = await createProject(t, { 'openapi.json': served, 'program.ts': program });
  await linkPackages(project, ['zod']);
  const input = join(project, 'openapi.json');
  await generate({
    input: { target: input },
    output: { client: 'zod', target: join(project, 'orval.ts'), mode: 'single' },
  });
  await createClient({
    input,
    output: { path: project, clean: false, module: { extension: '.js' } },
    plugins: ['zod'],
    logs: { level: 'silent', file: false },
  });
  for (const made of ['orval.ts', 'zod.gen.ts']) {
    t.notOk((await readFile(join(project, made), 'utf8')).includes('\0'), `${made} is text`);
  }
  t.equal(await compile(project, 'typescript', { module: 'nodenext' }), '');
  const { stdout } = await run(process.execPath, [join(project, 'program.js')]);
  t.equal(stdout, 'Zoë 👩🏽‍🎨\n𠮷野 家\n𰻞\n'.repeat(2));
});

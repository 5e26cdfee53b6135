import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import t from 'tap';
import { findDeprecationProblems } from '../../scripts/compatibility/deprecations.js';
import { findBreakingChanges } from '../../scripts/compatibility/operations.js';
import { compareSchemas } from '../../scripts/compatibility/schemas.js';
import { documentPath, readDocument, type JsonObject } from '../support/document.js';
import { compiledFile, projectRoot } from '../support/project.js';
import { startTestService } from '../support/service.js';
import { breakingChanges, changed, harmlessChanges } from './contract-changes.js';

const run = promisify(execFile);

t.test('a breaking change is found, and described in a sentence', async (t) => {
  for (const [guarantee, change, says] of breakingChanges) {
    const problems = findBreakingChanges(readDocument(), changed(change));
    t.ok(
      problems.some((problem) => says.test(problem)),
      guarantee,
      { found: problems },
    );
  }
});

t.test('a compatible change is accepted', async (t) => {
  for (const [guarantee, change] of harmlessChanges) {
    t.same(findBreakingChanges(readDocument(), changed(change)), [], guarantee);
  }
});

t.test('where the check finds no problem, every valid request stays valid', async (t) => {
  const text = fc.record(
    {
      type: fc.constantFrom('string', ['string', 'null'], ['string', 'integer']),
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 2, max: 5 }),
    },
    { requiredKeys: ['type'] },
  );
  const number = fc.record(
    {
      type: fc.constantFrom('integer', 'number', ['number', 'null']),
      minimum: fc.nat(4),
      maximum: fc.integer({ min: 3, max: 9 }),
    },
    { requiredKeys: ['type'] },
  );
  const choice = fc.record({ enum: fc.subarray([null, 'a', 'b', 1, 2], { minLength: 1 }) });
  const simple = fc.oneof(text, number, choice);
  const list = fc.record(
    { type: fc.constant('array'), items: simple, maxItems: fc.nat(3) },
    { requiredKeys: ['type'] },
  );
  const value = fc.oneof(simple, list, fc.record({ oneOf: fc.tuple(text, number) }));
  const schema = fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), value, { noNullPrototype: true }),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.boolean(),
    },
    { requiredKeys: ['type', 'properties'] },
  );
  const leaf = fc.constantFrom<unknown>(null, '', 'a', 'abc', 'abcdefg', 0, 1, 2, 3.5, 8, 12, true);
  const data = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(leaf, fc.array(leaf, { maxLength: 4 })),
    { noNullPrototype: true },
  );
  const ajv = new Ajv2020({ strict: false });
  let silent = 0;
  fc.assert(
    fc.property(
      schema,
      schema,
      fc.boolean(),
      fc.array(data, { minLength: 20 }),
      (a, b, same, values) => {
        // Two schemas by chance hardly ever agree: half of the time only the members differ.
        const current = same ? { ...a, required: b.required ?? [] } : b;
        const problems: string[] = [];
        compareSchemas(
          { released: {}, current: {}, report: (problem) => problems.push(problem) },
          a as JsonObject,
          current as JsonObject,
          'body',
          'input',
        );
        if (problems.length > 0) return true;
        silent += 1;
        const [before, after] = [ajv.compile(a), ajv.compile(current)];
        return values.every((item) => !before(item) || after(item));
      },
    ),
    { seed: 11, numRuns: 1_000 },
  );
  t.ok(silent > 50, `the check was silent ${silent} times`);
});

t.test('the command fails on a breaking change, unless the major number is raised', async (t) => {
  const text = await readFile(documentPath, 'utf8');
  const folder = t.testdir({
    released: {},
    'broken.yaml': text.replace('operationId: getStudio', 'operationId: readStudio'),
    'raised.yaml': text
      .replace('operationId: getStudio', 'operationId: readStudio')
      .replace('version: 2.0.0', 'version: 3.0.0'),
  });
  const compare = (document: string, ...more: string[]) =>
    run(process.execPath, [
      ...[compiledFile('scripts/compatibility.ts'), '--document', document],
      ...['--released', join(folder, 'released'), ...more],
    ]).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    );

  t.equal(await compare('openapi.yaml', '--release'), '');
  t.match(await compare('openapi.yaml', '--release'), /EEXIST/, 'a release is written once');
  t.equal(await compare('openapi.yaml'), '');
  t.match(
    await compare(join(folder, 'broken.yaml')),
    /operationId was getStudio.*breaks consumers of 2\.0\.0/,
  );
  t.equal(await compare(join(folder, 'raised.yaml')), '');
});

t.test('an operation is deprecated with 180 days of notice, and in its answers', async (t) => {
  const required = { required: true, schema: { type: 'string' } };
  const headers = { Deprecation: required, Sunset: required };
  const dates = { 'x-deprecated-since': '2027-01-01', 'x-sunset': '2027-06-30' };
  const problemsOf = (definition: object, headers: object) =>
    findDeprecationProblems(
      changed(({ paths }) => {
        const { get } = paths['/api/public/bookings/{id}'];
        Object.assign(get, { deprecated: true }, definition);
        Object.assign(get.responses['200'], { headers });
      }),
    );
  t.same(findDeprecationProblems(readDocument()), []);
  t.same(problemsOf(dates, headers), []);
  t.match(problemsOf({ ...dates, 'x-sunset': '2027-06-29' }, headers), [/180 days apart$/]);
  t.match(problemsOf({ 'x-sunset': '2027-06-30' }, headers), [/180 days apart$/]);
  t.match(problemsOf(dates, { Deprecation: required }), [/the header Sunset$/]);
  t.match(problemsOf(dates, { ...headers, Deprecation: { schema: {} } }), [/header Deprecation$/]);
});

t.test('the compatibility policy is published to agents and to their developers', async (t) => {
  const { app } = await startTestService(t);
  const { data } = (await app.inject('/api/public/capabilities')).json();
  t.match(data.compatibility, {
    stable_within: '2.x',
    additions: Array,
    deprecation: { headers: ['Deprecation', 'Sunset'], notice_days: 180 },
  });
  const policy = await app.inject(new URL(data.compatibility.policy_url).pathname);
  t.match(policy.body, /## Compatibility[^]*Within 2\.x[^]*180 days[^]*`Deprecation`[^]*`Sunset`/);
});

t.test(
  'the contract is kept as released, and the CHANGELOG begins with the version of the package',
  async (t) => {
    const read = (path: string) => readFile(join(projectRoot, path), 'utf8');
    const { version } = readDocument()['info'] as { version: string };
    const packed = (JSON.parse(await read('package.json')) as { version: string }).version;
    const [major] = version.split('.');
    t.ok(packed.startsWith(`${major}.`), 'additions raise the other numbers of the package');
    const [, newest] = /^## (\S+)$/m.exec(await read('CHANGELOG.md')) ?? [];
    t.equal(newest, packed);
    t.match(await read(`test/contract/released/openapi-${version}.yaml`), `version: ${version}`);
  },
);

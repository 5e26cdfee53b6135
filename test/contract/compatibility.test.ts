import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { findDeprecationProblems } from '../../scripts/compatibility/deprecations.js';
import { findBreakingChanges } from '../../scripts/compatibility/operations.js';
import { readDocument, type JsonObject } from '../support/document.js';
import { projectRoot } from '../support/project.js';
import { startService } from '../support/service.js';

/** A part of the document, whatever its form. */
type Part = ReturnType<typeof JSON.parse>;

/** Changes the document; `schemas` and `paths` are its own. */
type Change = (document: { schemas: Part; paths: Part; whole: Part }) => void;

const document = readDocument();
const availability = '/api/public/availability';
const holds = '/api/public/holds';
const booking = '/api/public/bookings/{id}';
const artist = { name: 'artist', in: 'query', schema: { type: 'string' } };

/** openapi.yaml with the change. */
function changed(change: Change): JsonObject {
  const whole = structuredClone(document) as Part;
  change({ schemas: whole.components.schemas, paths: whole.paths, whole });
  return whole as JsonObject;
}

/** Changes that break a consumer, and what the check says of each. */
const breakingChanges: [says: RegExp, change: Change][] = [
  [/GET .*\{id\} was removed/, ({ paths }) => delete paths[booking]],
  [/operationId was/, ({ paths }) => (paths[booking].get.operationId = 'x')],
  [/200\.data: the member label was removed/, ({ schemas }) => removeMember(schemas.Booking)],
  [/the member id may be left out now/, ({ schemas }) => schemas.Booking.required.shift()],
  [
    /data\.timezone: the type null is new/,
    ({ schemas }) => (schemas.Booking.properties.timezone.type = ['string', 'null']),
  ],
  [
    /data\.status: the value "paid" is new/,
    ({ schemas }) => schemas.BookingStatus.enum.push('paid'),
  ],
  [
    /body: the member idea is required now/,
    ({ schemas }) => schemas.HoldRequest.required.push('idea'),
  ],
  [
    /query artist is required now/,
    ({ paths }) => paths[availability].get.parameters.push({ ...artist, required: true }),
  ],
  [
    /query time_slot is required now/,
    ({ paths }) => (paths[availability].get.parameters[2].required = true),
  ],
  [/idempotency-key was/, ({ paths }) => paths[holds].post.parameters.pop()],
  [
    /body\.name: maxLength was 120, is 80/,
    ({ schemas }) => (schemas.HoldRequest.properties.name.maxLength = 80),
  ],
  [
    /body\.phone: pattern was/,
    ({ schemas }) => (schemas.HoldRequest.properties.phone.pattern = '^x$'),
  ],
  [
    /alternatives: maxItems was 5, is 50/,
    ({ schemas }) => (schemas.Error.properties.alternatives.maxItems = 50),
  ],
  [/not was absent/, ({ schemas }) => (schemas.HoldRequest.properties.name.not = { const: 'x' })],
  [/404 was removed/, ({ paths }) => delete paths[booking].get.responses['404']],
  [/the answer 202 is new/, ({ paths }) => (paths[holds].post.responses['202'] = {})],
  [
    /201, header Location was removed/,
    ({ paths }) => delete paths[holds].post.responses['201'].headers.Location,
  ],
  [
    /application\/json was removed/,
    ({ paths }) => (paths[holds].post.requestBody.content = { 'application/xml': {} }),
  ],
  [/a credential is required now/, ({ paths }) => (paths[booking].get.security = [{ apiKey: [] }])],
  [/\{"apiKey":\[\]\} is not accepted/, ({ paths }) => (paths[booking].get.security = [{}])],
  [/webhook event was removed/, ({ whole }) => delete whole.webhooks.event],
];

function removeMember(schema: Part): void {
  delete schema.properties.label;
  schema.required = schema.required.filter((name: string) => name !== 'label');
}

t.test('a change that breaks a consumer is found, and described in a sentence', async (t) => {
  for (const [says, change] of breakingChanges) {
    const found = findBreakingChanges(document, changed(change));
    t.ok(
      found.some((problem) => says.test(problem)),
      says.source,
      { found },
    );
  }
  const former = changed(({ schemas }) => (schemas.Former = { type: 'string' }));
  t.match(findBreakingChanges(former, document), [/the type Former was removed/]);
});

t.test('additions, wider requests, other words and new ways to fail are accepted', async (t) => {
  const current = changed(({ schemas, paths }) => {
    paths['/api/public/artists'] = { get: { ...paths[booking].get, operationId: 'listArtists' } };
    paths[availability].get.parameters.push(artist);
    paths[booking].get.responses['410'] = paths[booking].get.responses['404'];
    paths[booking].get.deprecated = true;
    schemas.Booking.properties.chair = { type: 'string' };
    schemas.Booking.required.push('chair');
    schemas.Booking.properties.label.description = 'Other words.';
    schemas.Booking.properties.status = { ...schemas.BookingStatus };
    schemas.HoldRequest.properties.artist = { type: 'string' };
    schemas.HoldRequest.properties.name.maxLength = 200;
    schemas.HoldRequest.required.pop();
    schemas.ErrorCode.enum.push('artist_away');
  });
  t.same(findBreakingChanges(document, current), []);
});

t.test('an operation is deprecated with 180 days of notice, and in its answers', async (t) => {
  const required = { required: true, schema: { type: 'string' } };
  const headers = { Deprecation: required, Sunset: required };
  const dates = { 'x-deprecated-since': '2027-01-01', 'x-sunset': '2027-06-30' };
  const problemsOf = (definition: object, headers: object) =>
    findDeprecationProblems(
      changed(({ paths }) => {
        const { get } = paths[booking];
        Object.assign(get, { deprecated: true }, definition);
        Object.assign(get.responses['200'], { headers });
      }),
    );
  t.same(findDeprecationProblems(document), []);
  t.same(problemsOf(dates, headers), []);
  t.match(problemsOf({ ...dates, 'x-sunset': '2027-06-29' }, headers), [/180 days apart$/]);
  t.match(problemsOf({ 'x-sunset': '2027-06-30' }, headers), [/180 days apart$/]);
  t.match(problemsOf(dates, { Deprecation: required }), [/the header Sunset$/]);
  t.match(problemsOf(dates, { ...headers, Deprecation: { schema: {} } }), [/header Deprecation$/]);
});

t.test('the compatibility policy is published to agents and to their developers', async (t) => {
  const { app } = await startService(t);
  const { data } = (await app.inject('/api/public/capabilities')).json();
  t.match(data.compatibility, {
    stable_within: '2.x',
    additions: Array,
    deprecation: { headers: ['Deprecation', 'Sunset'], notice_days: 180 },
  });
  const policy = await app.inject(new URL(data.compatibility.policy_url).pathname);
  t.match(policy.body, /## Compatibility[^]*Within 2\.x[^]*180 days[^]*`Deprecation`[^]*`Sunset`/);
});

t.test('the contract is kept as released, and the changelog begins with the package', async (t) => {
  const read = (path: string) => readFile(join(projectRoot, path), 'utf8');
  const { version } = document['info'] as { version: string };
  const packed = (JSON.parse(await read('package.json')) as { version: string }).version;
  t.equal(/^## (\S+) \(/m.exec(await read('CHANGELOG.md'))?.[1], packed);
  t.match(await read(`test/contract/released/openapi-${version}.yaml`), `version: ${version}`);
});

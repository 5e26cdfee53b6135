/**
 * Books a session over HTTP for a person, given only the service's address: /openapi.json describes
 * how to call each operation, /capabilities the limits and rules.
 *
 *     node rest-agent.mjs http://127.0.0.1:3000 \
 *       '{"name": "Ada Park", "email": "ada@example.com", "phone": "5555550142"}'
 */
const [address = 'http://127.0.0.1:3000', details = '{}'] = process.argv.slice(2);
const person = JSON.parse(details);
const contract = await (await fetch(new URL('/api/public/openapi.json', address))).json();
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
);

/** Resolves a reference to a component of the contract. */
function part(node) {
  const steps = node.$ref?.split('/').slice(1);
  return steps ? part(steps.reduce((at, name) => at[name], contract)) : node;
}

/** Calls an operation; the contract says where each value goes: path, query, header or body. */
async function call(operationId, values = {}) {
  const operation = operations.find((known) => known.operationId === operationId);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const url = new URL(contract.servers[0].url + path);
  const headers = { 'content-type': 'application/json' };
  for (const { name, in: place } of (operation.parameters ?? []).map(part)) {
    if (place === 'query' && values[name]) url.searchParams.set(name, values[name]);
    if (place === 'header' && values[name]) headers[name] = values[name];
  }
  const body = operation.requestBody && JSON.stringify(values.body);
  const response = await fetch(url, { method: operation.method.toUpperCase(), headers, body });
  const { data, error } = await response.json();
  if (error) throw Object.assign(new Error(`${error.code}: ${error.message}`), error);
  return data;
}

const { limits, idempotency, human_confirmation: rule } = await call('getCapabilities');
const { requestBody } = operations.find(({ operationId }) => operationId === rule.operation);
const { required } = part(requestBody.content['application/json'].schema);
const asked = required.filter((name) => !(name in { date: '', time_slot: '', ...person }));
if (asked.length > 0) throw new Error(`Ask the person for: ${asked.join(', ')}`);

// Dates are the studio's, wherever you are.
const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const range = { from: day(1), to: day(limits.availability_range_days) };
const [{ date, slots }] = (await call('listAvailability', range)).days;
const key = { [idempotency.header]: crypto.randomUUID() };
const body = { date, time_slot: slots[0].time_slot, ...person };
const hold = await call(rule.operation, { ...key, body });
console.log(`${hold.handoff.message}\n${hold[rule.url_member]}`);

let booking = hold;
while (booking.status === 'pending') {
  booking = await call('getBooking', { id: hold.id, Prefer: `wait=${limits.max_wait_seconds}` });
}
console.log(`${booking.label}: ${booking.status}`);

import t from 'tap';
import { legacyRequest, modernRequest, post, type CallResult } from '../support/mcp.js';
import { addDays } from '../../src/calendar/dates.js';
import { startTestService } from '../support/service.js';

const calls = 1_500;

void t.test(
  '1,500 parallel calls with the same JSON-RPC id each get their own response',
  async (t) => {
    const { url, app } = await startTestService(t);
    // One process is both the 1,500 clients and their server, which takes long on a busy machine.
    app.server.requestTimeout = 0;
    app.server.headersTimeout = 0;
    const answers = await Promise.all(
      Array.from({ length: calls }, async (_, index) => {
        // A different range for each call.
        const from = addDays('2027-01-01', index);
        const params = {
          name: 'list_open_times',
          arguments: { from, to: addDays(from, index % 7) },
        };
        const { body, headers } =
          index % 2 === 0
            ? modernRequest('tools/call', params)
            : { body: legacyRequest('tools/call', params), headers: {} };
        const { json } = await post(url, body, headers);
        const { id, result } = json as { id: unknown; result: CallResult };
        const { from: first, to: last } = result.structuredContent as Record<string, string>;
        return id === 1 && first === from && last === addDays(from, index % 7);
      }),
    );
    t.equal(answers.filter((isOwn) => isOwn).length, calls);
  },
);

void t.test('a response has the id of its request, of any type', async (t) => {
  const { url } = await startTestService(t);
  const ids = [0, -1, 1.5, 9007199254740991, '', '1', 'x'.repeat(2_000), '__proto__'];
  const answers = await Promise.all(ids.map((id) => post(url, legacyRequest('ping', {}, id))));
  t.strictSame(
    answers.map(({ json }) => (json as { id: unknown }).id),
    ids,
  );
});

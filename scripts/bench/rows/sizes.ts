import { gzipSync } from 'node:zlib';
import { dateAhead } from '../../../test/support/http-requests.js';
import { startService } from '../processes.js';
import { plainRow, type Measurement, type Row } from '../row.js';

/** What a model has to read: the characters of each document and answer, and the weight of the view. */
export const sizes: Measurement = async ({ step, line }) => {
  step('what a model reads');
  const { url } = await startService();
  const read = async (path: string) => (await fetch(`${url}${path}`)).text();
  const ask = async (method: string, params: object) => {
    const response = await fetch(`${url}/api/public/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { result: unknown }).result;
  };
  const fortnight = { from: dateAhead(7), to: dateAhead(20) };
  const called = await ask('tools/call', { name: 'list_open_times', arguments: fortnight });
  const view = (await ask('resources/read', { uri: 'ui://studio/slots' })) as {
    contents: { text: string }[];
  };
  line(characters('openapi.json', await read('/api/public/openapi.json'), 60_000));
  line(characters('guide.md', await read('/guide.md')));
  line(characters('tools/list', JSON.stringify(await ask('tools/list', {})), 9_000));
  line(characters('tools/call list_open_times, 14 days', JSON.stringify(called)));
  const compressed = gzipSync(view.contents[0]!.text).length;
  line(size('the view in chats, gzip', compressed, 'bytes', 15_000));
};

function characters(what: string, text: string, most?: number): Row {
  return size(what, text.length, 'characters', most);
}

function size(what: string, value: number, unit: string, most?: number): Row {
  const aim = most === undefined ? 'reported' : `≤ ${most}`;
  const reached = most === undefined ? null : value <= most;
  return plainRow(`size: ${what}`, `${value} ${unit}`, aim, reached);
}

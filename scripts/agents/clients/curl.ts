import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Client } from '../agent.js';
import { operationOf, readContract } from '../discovery.js';
import { agentOverRest } from '../rest.js';

/** `curl` and nothing else: a process for each request. */
export const curl: Client = async (baseUrl) => {
  const contract = await readContract(baseUrl, (url, method) =>
    run(method === 'HEAD' ? ['--head', url] : [url]),
  );
  return agentOverRest(async (operationId, { path = {}, query = {}, headers = {}, body }) => {
    const operation = operationOf(contract, operationId);
    const filled = operation.path.replace(/\{(\w+)\}/gu, (_, name: string) => path[name] ?? '');
    const url = new URL(filled, operation.serverUrl);
    url.search = new URLSearchParams(query).toString();
    const all = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
    const given = Object.entries(all).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const args = ['--request', operation.method.toUpperCase(), ...given, url.href];
    const response = await run(args, body);
    return { response, body: await response.json() };
  });
};

/** Runs curl with a body, if there is one, on its standard input. */
async function run(args: string[], body?: unknown): Promise<Response> {
  const data = body === undefined ? [] : ['--data-binary', '@-'];
  const child = spawn('curl', ['--silent', '--show-error', '--include', ...data, ...args]);
  child.stdin.end(body === undefined ? '' : JSON.stringify(body));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  if (code !== 0) throw new Error(`curl ended with ${code}: ${errors}`);
  const [head = '', ...rest] = output.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(rest.join('\r\n\r\n'), { status: Number(statusLine.split(' ')[1]), headers });
}

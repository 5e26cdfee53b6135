import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './document.js';

export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The bytes of the body, as text. */
  body: string | undefined;
}

/** Sends it over a connection, and reads the answer; of a stream, only its beginning. */
export function send(base: string, { method, path, headers, body }: WireRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node sets it only where the method usually has a body.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { method, path, headers: { ...headers, ...length }, agent };
    const request = httpRequest(base, options, (response) => {
      const answer = (text: string | undefined): void =>
        resolve({
          operation: `${method} ${path}`,
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
        });
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        response.destroy();
        return answer(undefined);
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => answer(text)).on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** What the service answers to bytes that may be no proper request, once it has closed the connection. */
export async function sendBytes(
  base: string,
  bytes: string,
): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

const agent = new Agent({ keepAlive: true });

/** Closes the connections that `send` has kept. */
export function hangUp(): void {
  agent.destroy();
}

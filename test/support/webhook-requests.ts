import t from 'tap';
import { responseValidator } from './document.js';
import type { TestService } from './service.js';

const check = responseValidator();
export const target = 'https://8.8.8.8/webhooks';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  // Judged by the assertions.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** A request to `/webhooks`, whose answer must be as the contract says. */
export async function ask(
  { app }: TestService,
  method: 'GET' | 'POST' | 'DELETE',
  options: { token?: string; body?: unknown; address?: string } = {},
): Promise<Answer> {
  const response = await app.inject({
    method,
    url: '/api/public/webhooks',
    remoteAddress: options.address ?? '192.0.2.1',
    headers: options.token === undefined ? {} : { authorization: `Bearer ${options.token}` },
    ...(options.body === undefined ? {} : { payload: options.body as object }),
  });
  t.strictSame(
    check({
      operation: `${method} /api/public/webhooks`,
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
    }),
    [],
  );
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

export function subscribe(
  service: TestService,
  body: unknown = { url: target },
  address?: string,
): Promise<Answer> {
  return ask(service, 'POST', { body, ...(address === undefined ? {} : { address }) });
}

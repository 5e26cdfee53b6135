import t from 'tap';
import { responseValidator } from './document.js';
import type { TestService } from './service.js';

const check = responseValidator();
export const target = 'https://8.8.8.8/webhooks';

/** A request to `/webhooks`, whose answer must be as the contract says. */
export async function ask(
  { app }: TestService,
  method: 'GET' | 'POST' | 'DELETE',
  {
    token,
    body,
    address = '192.0.2.1',
  }: { token?: string; body?: unknown; address?: string | undefined } = {},
) {
  const response = await app.inject({
    method,
    url: '/api/public/webhooks',
    remoteAddress: address,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(body !== undefined && { payload: body as object }),
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

export function subscribe(service: TestService, body: unknown = { url: target }, address?: string) {
  return ask(service, 'POST', { body, address });
}

import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.js';

/** Posts the form that moves a booking, as a browser does. `fields` replaces some of its fields. */
export async function pressMove(
  { app, context }: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: context.config.publicBaseUrl },
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: `${path}/move`,
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams({ action: 'move', ...fields }).toString(),
  });
}

import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.js';

/** What a person does with the link, without a browser: presses the button that confirms. */
export async function confirmAsPerson(checkoutUrl: string): Promise<void> {
  const answer = await fetch(checkoutUrl, {
    method: 'POST',
    headers: { origin: new URL(checkoutUrl).origin },
    body: new URLSearchParams({ action: 'confirm' }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`the checkout page answered ${answer.status}`);
}

/** Posts one of the forms of a checkout page, as a browser does that shows the page. */
export async function pressButton(
  { app, context }: Pick<TestService, 'app' | 'context'>,
  path: string,
  action: string,
  headers: Record<string, string> = { origin: context.config.publicBaseUrl },
  remoteAddress = '127.0.0.1',
): Promise<LightMyRequestResponse> {
  return postForm(app, path, { action }, headers, remoteAddress);
}

export async function postForm(
  app: TestService['app'],
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
  remoteAddress = '127.0.0.1',
): Promise<LightMyRequestResponse> {
  return app.inject({
    remoteAddress,
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}

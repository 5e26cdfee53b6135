import type { LightMyRequestResponse } from 'fastify';
import { postForm } from './forms.js';
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

/** Posts one of the forms of a checkout page, with these headers alone. */
export function pressButton(
  service: Pick<TestService, 'app' | 'context'>,
  path: string,
  action: string,
  headers: Record<string, string> = { origin: service.context.config.publicBaseUrl },
  from?: string,
): Promise<LightMyRequestResponse> {
  const alone = { accept: undefined, origin: undefined, ...headers };
  return postForm(service, path, { action }, { headers: alone, from });
}

import type { Test } from 'tap';
import { freePort } from './process.js';
import { generous, startTestService, type TestService } from './service.js';

/** A service that is reached at the public address that it names, so that its links lead to it. */
export async function startReachableService(
  t: Test,
  environment: Record<string, string> = {},
): Promise<TestService> {
  const port = String(await freePort());
  const address = { PUBLIC_BASE_URL: `http://127.0.0.1:${port}`, PORT: port };
  return startTestService(t, { ...generous, ...address, ...environment });
}

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

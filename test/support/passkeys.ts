import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { signIn, type ConsoleClient } from './console.js';
import { createDevice } from './device.js';
import { postForm } from './forms.js';
import { generous, type TestService } from './service.js';

/** A device in the browser that holds passkeys, and answers at once; it can check its user, or not. */
export async function addAuthenticator(page: Page, hasUserVerification = true) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}

/** Adds a passkey on the page of a session. */
export async function addPasskey(page: Page, name?: string): Promise<void> {
  await page.goto(new URL('/console/sign-ins', page.url()).href);
  if (name !== undefined) await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added').waitFor();
}

export const publicBaseUrl = 'https://studio.test';
export const httpsStudio = { ...generous, PUBLIC_BASE_URL: publicBaseUrl };

/** A session of the service, and a device whose passkey it has added. */
export async function addDevice(t: Test, service: TestService) {
  const client = await signIn(service);
  const device = createDevice(publicBaseUrl);
  const added = await postPasskey(client, device.register(await registrationChallenge(client)));
  t.match(added, { statusCode: 303, headers: { location: '/console/sign-ins?done=added' } });
  return { client, device };
}

export async function registrationChallenge(client: ConsoleClient): Promise<string> {
  const answer = await client.get('/console/sign-ins/passkey-options');
  return answer.json<{ challenge: string }>().challenge;
}

export function postPasskey(client: ConsoleClient, credential: string, name = 'Ada’s phone') {
  return client.post('/console/sign-ins/passkeys', { credential, name });
}

export async function signInChallenge({ app }: Pick<TestService, 'app'>): Promise<string> {
  const answer = await app.inject({ url: '/console/sign-in/passkey-options' });
  return answer.json<{ challenge: string }>().challenge;
}

export function postSignIn(
  service: TestService,
  credential: string,
  { app = service.app, next = '/console' }: { app?: FastifyInstance; next?: string } = {},
): Promise<LightMyRequestResponse> {
  const posting = { headers: { 'sec-fetch-site': 'same-origin' } };
  const { context } = service;
  return postForm({ app, context }, '/console/sign-in/passkey', { credential, next }, posting);
}

export async function passkeyRows({ context: { database } }: TestService) {
  const [sessions, passkeys, used, audit] = await Promise.all([
    database.selectFrom('console_sessions').selectAll().execute(),
    database.selectFrom('passkeys').selectAll().execute(),
    database.selectFrom('used_challenges').selectAll().execute(),
    database.selectFrom('audit_log').selectAll().orderBy('position').execute(),
  ]);
  return { sessions, passkeys, used, audit };
}

import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { signIn, type ConsoleClient } from './console.js';
import { postForm } from './forms.js';
import { selfSigned } from './self-signed.js';
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

/** A session of the service, the owner's or an artist's, and a device whose passkey it has added. */
export async function addDevice(
  t: Test,
  service: TestService,
  artist: Parameters<typeof signIn>[2] = null,
) {
  const client = await signIn(service, undefined, artist);
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

/** What a device claims, where it is not the truth of a person at the studio's own address. */
export interface Claims {
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  /** Whether it has verified its person. */
  verified?: boolean;
  /** The format of its maker's attestation, which is valid as `fido-u2f` only; none unless given. */
  attestation?: string;
  /** Of the signature counter; one more than before unless given. */
  counter?: number;
}

const flags = { present: 1, verified: 4, attested: 64 };

/** A device with one passkey, which signs whatever a test wants: a browser would not. */
export function createDevice(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let signatures = 0;

  const clientData = (type: string, challenge: string, claims: Claims): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: claims.type ?? type,
        challenge,
        origin: claims.origin ?? origin,
        crossOrigin: claims.crossOrigin ?? false,
      }),
    );
  const head = (claims: Claims, more = 0): Buffer => {
    const counter = Buffer.alloc(4);
    signatures = claims.counter ?? signatures + 1;
    counter.writeUInt32BE(signatures);
    const verified = (claims.verified ?? true) ? flags.verified : 0;
    const rpId = claims.rpId ?? new URL(origin).hostname;
    return Buffer.concat([sha256(rpId), Buffer.from([flags.present | verified | more]), counter]);
  };
  const json = (response: Record<string, unknown>): string =>
    JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    credentialId,
    /** What a browser posts to add the passkey, as JSON. */
    register(challenge: string, claims: Claims = {}) {
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = [head(claims, flags.attested), Buffer.alloc(16), length, id, Buffer.from(key)];
      const client = clientData('webauthn.create', challenge, claims);
      const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
      const vouched = [Buffer.alloc(1), data[0]!.subarray(0, 32), sha256(client), id, point];
      const statement = new Map<string, unknown>([
        ['x5c', [new Uint8Array(new X509Certificate(selfSigned.cert).raw)]],
        ['sig', new Uint8Array(sign('sha256', Buffer.concat(vouched), selfSigned.key))],
      ]);
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', claims.attestation ?? 'none'],
          ['attStmt', claims.attestation === undefined ? new Map() : statement],
          ['authData', new Uint8Array(Buffer.concat(data))],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return json({
        clientDataJSON: client.toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal', 'invented'],
      });
    },
    /** What a browser posts to sign in, as JSON. */
    assert(challenge: string, claims: Claims = {}) {
      const client = clientData('webauthn.get', challenge, claims);
      const data = head(claims);
      const signed = Buffer.concat([data, sha256(client)]);
      return json({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: null,
      });
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { ConsoleSessionRow, PasskeyRow } from '../database/rows/console.js';
import type { DatabaseServices } from '../database/services.js';
import { recordAudit, recordRefusedSignIn } from '../repositories/audit.js';
import { isRecentSignIn } from '../repositories/console-sessions.js';
import * as passkeys from '../repositories/passkeys.js';
import { type SignedIn, startSession } from './console-sessions.js';
import { createChallenge, readChallenge, type RelyingParty } from './passkey-challenges.js';

type Services = Pick<DatabaseServices, 'database' | 'keyring' | 'clock'>;

/** How long a browser waits for the person. */
const timeoutMs = 4 * 60_000;
/** Browsers and security keys show it beside the name of the host. */
const maxNameBytes = 64;

/** The options with which a browser signs in. They do not reveal which passkeys exist. */
export async function signInOptions(
  services: Services,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(createChallenge(services, 'sign-in')),
    userVerification: 'required',
    timeout: timeoutMs,
  });
}

/**
 * Signs in with the credential that a browser has posted (JSON), and ends the session of `formerToken`.
 * Null, and audited, if it is refused.
 */
export async function signInWithPasskey(
  services: Services,
  party: RelyingParty,
  posted: string,
  formerToken: string | null,
): Promise<SignedIn | null> {
  const verified = await verifyPostedSignIn(services, party, posted);
  return services.database.transaction().execute(async (transaction) => {
    const isFirst = verified !== null && (await passkeys.useChallenge(transaction, verified));
    const passkey = isFirst ? await passkeys.updateCounter(transaction, verified) : null;
    if (passkey === null) {
      await recordRefusedSignIn(transaction, 'passkey');
      return null;
    }
    const { name, artist_id, id: passkeyId } = passkey;
    return startSession(transaction, { name, artist_id, passkeyId, formerToken });
  });
}

async function verifyPostedSignIn(services: Services, party: RelyingParty, posted: string) {
  const { parseCredential, verifySignIn } = await import('./passkey-responses.js');
  const credential = parseCredential<AuthenticationResponseJSON>(posted);
  if (credential === null) return null;
  const challenge = readChallenge(services, credential.challenge, 'sign-in');
  if (challenge === null) return null;
  const passkey = await passkeys.findPasskey(services.database, credential.credentialId);
  if (passkey === null) return null;
  const counter = await verifySignIn(party, credential, passkey);
  return counter === null ? null : { ...challenge, id: passkey.id, counter };
}

/**
 * The options for making a passkey in a session. Null if its sign-in is older than 10 minutes. `studio`,
 * `artist`: their names.
 */
export async function registrationOptions(
  services: Services,
  party: RelyingParty,
  session: ConsoleSessionRow,
  { studio, artist }: { studio: string; artist: string | null },
): Promise<PublicKeyCredentialCreationOptionsJSON | null> {
  const { database, keyring } = services;
  if (!(await isRecentSignIn(database, session.id))) return null;
  const existing = await passkeys.listPasskeys(database, session.artist_id);
  const label = shorten(studio);
  const user = artist === null ? label : shorten(artist);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: label,
    rpID: party.id,
    userName: user,
    userDisplayName: user,
    // One id for all of a user: a passkey replaces one that was removed here and is still on the device.
    userID: new Uint8Array(
      keyring.fingerprint(
        session.artist_id === null ? 'studio' : `artist ${session.artist_id}`,
        'passkey user',
      ),
    ),
    challenge: new Uint8Array(createChallenge(services, `registration ${session.id}`)),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

function shorten(text: string): string {
  const fits = new Uint8Array(maxNameBytes);
  const { read } = new TextEncoder().encodeInto(text, fits);
  return text.slice(0, read);
}

export type AddedPasskey =
  | { outcome: 'added'; passkey: PasskeyRow }
  | { outcome: 'sign_in_again' | 'refused' | 'known' };

/** Adds the passkey that a browser has made (JSON). `name`: that of its sessions. */
export async function addPasskey(
  services: Services,
  party: RelyingParty,
  actor: string,
  session: ConsoleSessionRow,
  { posted, name }: { posted: string; name: string },
): Promise<AddedPasskey> {
  const { parseCredential, verifyRegistration } = await import('./passkey-responses.js');
  const credential = parseCredential<RegistrationResponseJSON>(posted);
  const purpose = `registration ${session.id}` as const;
  const challenge =
    credential === null ? null : readChallenge(services, credential.challenge, purpose);
  const made =
    credential === null || challenge === null ? null : await verifyRegistration(party, credential);
  return services.database.transaction().execute(async (transaction) => {
    if (!(await isRecentSignIn(transaction, session.id))) return { outcome: 'sign_in_again' };
    if (made === null || challenge === null) return { outcome: 'refused' };
    if (!(await passkeys.useChallenge(transaction, challenge))) return { outcome: 'refused' };
    const { artist_id } = session;
    const passkey = await passkeys.insertPasskey(transaction, { ...made, name, artist_id });
    if (passkey === null) return { outcome: 'known' };
    await recordAudit(transaction, actor, 'console passkeys add', {
      passkey_id: passkey.id,
      name,
    });
    return { outcome: 'added', passkey };
  });
}

/** Removes a passkey, and ends its sessions on every process. Null if there is none with this id. */
export async function removePasskey(
  { database }: Pick<Services, 'database'>,
  actor: string,
  id: string,
): Promise<{ passkey: PasskeyRow; sessionIds: string[] } | null> {
  return database.transaction().execute(async (transaction) => {
    const removed = await passkeys.deletePasskey(transaction, id);
    if (removed === null) return null;
    await recordAudit(transaction, actor, 'console passkeys remove', {
      passkey_id: id,
      name: removed.passkey.name,
      session_ids: removed.sessionIds,
    });
    return removed;
  });
}

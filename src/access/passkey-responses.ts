import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
} from '@simplewebauthn/server/helpers';
import type { PasskeyRow } from '../database/rows/console.js';
import type { NewPasskey } from '../repositories/passkeys.js';
import type { RelyingParty } from './passkey-challenges.js';

/** The JSON that a browser posts. Its members are not checked. */
export interface PostedCredential<Response> {
  credential: Response;
  credentialId: string;
  /** The challenge in base64url, as the passkey has signed it. */
  challenge: string;
}

/** Null if the text is no credential, or was made in a frame of another website. */
export function parseCredential<
  Response extends AuthenticationResponseJSON | RegistrationResponseJSON,
>(text: string): PostedCredential<Response> | null {
  try {
    const credential = JSON.parse(text) as Response;
    const { challenge, crossOrigin } = decodeClientDataJSON(credential.response.clientDataJSON);
    const isComplete = isCredentialId(credential.id) && typeof challenge === 'string';
    if (!isComplete || (crossOrigin ?? false)) return null;
    return { credential, credentialId: credential.id, challenge };
  } catch {
    return null;
  }
}

/** At most 1,023 bytes in base64url (WebAuthn, 4). */
function isCredentialId(id: unknown): boolean {
  return typeof id === 'string' && /^[\w-]{1,1364}$/.test(id);
}

/**
 * The new signature counter. Null unless the passkey has signed the challenge for this relying party with
 * user verification, and its counter rises (a copy of the passkey would be behind it).
 */
export async function verifySignIn(
  { id, origin }: RelyingParty,
  { credential, challenge }: PostedCredential<AuthenticationResponseJSON>,
  passkey: PasskeyRow,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** Null unless the passkey was made for this relying party with user verification. */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  { credential, challenge }: PostedCredential<RegistrationResponseJSON>,
): Promise<Omit<NewPasskey, 'name'> | null> {
  try {
    if (namesCertificates(credential.response.attestationObject)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const made = registrationInfo.credential;
    return {
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey),
      counter: made.counter,
      transports: knownTransports(credential.response.transports),
    };
  } catch {
    return null;
  }
}

/**
 * Whether the maker of the device attests the passkey, which the options do not ask for: the library
 * would fetch what the certificates name.
 */
function namesCertificates(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  if (format === 'none') return false;
  return format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined;
}

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

function knownTransports(given: unknown): string[] {
  return Array.isArray(given) ? transports.filter((each) => given.includes(each)) : [];
}

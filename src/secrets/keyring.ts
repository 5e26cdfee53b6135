import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const cipherName = 'aes-256-gcm';
const formatVersion = 1;
const keyIdLength = 4;
const ivLength = 12;
const tagLength = 16;

interface Key {
  id: Buffer;
  encryption: Buffer;
  authentication: Buffer;
}

/** Encrypts and signs with `SECRET_KEY`, which does not leave it. */
export interface Keyring {
  /** Identifies the current key without revealing it; stored in the database to detect a wrong key. */
  readonly currentKeyId: string;
  /** The id of the previous key, or null when no rotation is under way. */
  readonly previousKeyId: string | null;
  /** AES-256-GCM: version, key id, nonce, ciphertext and tag in one buffer. */
  encrypt(plaintext: string, purpose: string): Buffer;
  /** Throws when the value was encrypted with an unknown key, for another purpose, or was altered. */
  decrypt(sealed: Buffer, purpose: string): string;
  /** HMAC-SHA256 with the current key: a hash that only this installation can compute. */
  fingerprint(value: string, purpose: string): Buffer;
  /** The fingerprints with every known key, current first, for lookups during a rotation. */
  fingerprints(value: string, purpose: string): Buffer[];
}

/** `secret` is SECRET_KEY and `previous` SECRET_KEY_PREVIOUS: at least 32 characters each. */
export function createKeyring(secret: string, previous?: string): Keyring {
  const current = deriveKey(secret);
  const keys = previous === undefined ? [current] : [current, deriveKey(previous)];

  const hmac = (key: Key, value: string, purpose: string): Buffer =>
    createHmac('sha256', key.authentication).update(purpose).update('\0').update(value).digest();

  return {
    currentKeyId: current.id.toString('hex'),
    previousKeyId: keys[1]?.id.toString('hex') ?? null,

    encrypt(plaintext, purpose) {
      const iv = randomBytes(ivLength);
      const head = Buffer.concat([Buffer.from([formatVersion]), current.id]);
      const cipher = createCipheriv(cipherName, current.encryption, iv);
      cipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([head, iv, sealed, cipher.getAuthTag()]);
    },

    decrypt(sealed, purpose) {
      const head = sealed.subarray(0, 1 + keyIdLength);
      const key = keys.find((candidate) => candidate.id.equals(head.subarray(1)));
      if (head[0] !== formatVersion || key === undefined) {
        throw new Error('encrypted with a key that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS');
      }
      const iv = sealed.subarray(head.length, head.length + ivLength);
      const decipher = createDecipheriv(cipherName, key.encryption, iv);
      decipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]));
      decipher.setAuthTag(sealed.subarray(-tagLength));
      const body = sealed.subarray(head.length + ivLength, -tagLength);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },

    fingerprint: (value, purpose) => hmac(current, value, purpose),
    fingerprints: (value, purpose) => keys.map((key) => hmac(key, value, purpose)),
  };
}

function deriveKey(secret: string): Key {
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `tattoo-studio-booking ${purpose}`, length));
  return {
    id: derive('key id', keyIdLength),
    encryption: derive('encryption', 32),
    authentication: derive('authentication', 32),
  };
}

/** SHA-256, for values of high entropy, which need no keyed hash: tokens and API keys. */
export function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

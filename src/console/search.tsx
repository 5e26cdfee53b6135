import type { VNode } from 'preact';
import type { Keyring } from '../secrets/keyring.js';
import { PostForm } from './parts.js';

/*
 * The words of a search are personal data: they are posted, and the address has them sealed, so that one
 * can go back to it.
 */

/** The purpose for which the words are sealed. */
const purpose = 'console search';
const maxLength = 254;

/** The words as an address has them. */
export function sealSearch({ keyring }: { keyring: Keyring }, text: string): string {
  return keyring.encrypt(text.trim().slice(0, maxLength), purpose).toString('base64url');
}

/** The words of an address; null without any, or if another installation, or nobody, has sealed them. */
export function openSearch(
  { keyring }: { keyring: Keyring },
  sealed: string | undefined,
): string | null {
  if (sealed === undefined) return null;
  try {
    return keyring.decrypt(Buffer.from(sealed, 'base64url'), purpose);
  } catch {
    return null;
  }
}

export interface SearchFormProps {
  action: string;
  /** What can be typed. */
  label: string;
  text: string;
}

export function SearchForm({ action, label, text }: SearchFormProps): VNode {
  return (
    <PostForm action={action} class="inline">
      <label for="text" class="visually-hidden">
        {label}
      </label>
      <input
        id="text"
        type="search"
        name="text"
        value={text}
        placeholder={label}
        autocomplete="off"
      />
      <button class="quiet small">Search</button>
    </PostForm>
  );
}

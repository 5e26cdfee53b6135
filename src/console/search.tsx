import type { VNode } from 'preact';
import { pathWith } from './links.js';
import { PostForm } from './parts.js';
import { seal, type Sealing, unseal } from './sealed.js';

/*
 * The words of a search are personal data: they are posted, and the address has them sealed, so that one
 * can go back to it.
 */

const maxLength = 254;
const purpose = 'console search';

/** The page of what a search has found. */
export function linkToFound(context: Sealing, path: string, text: string): string {
  return pathWith(path, { search: seal(context, text.trim().slice(0, maxLength), purpose) });
}

/** The words of an address; null without any. */
export const openSearch = (context: Sealing, search: string | undefined) =>
  unseal(context, search, purpose);

/** `label`: what can be typed. */
export function SearchForm(props: { action: string; label: string; text: string }): VNode {
  const { action, label, text } = props;
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

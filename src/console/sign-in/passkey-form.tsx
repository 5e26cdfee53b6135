import type { VNode } from 'preact';
import { PostForm } from '../form.js';

export const passkeySignInPath = '/console/sign-in/passkey';
export const signInOptionsPath = '/console/sign-in/passkey-options';

export interface PasskeySignInProps {
  label: string;
  /** The page to show after it; null for the address of this page. */
  next: string | null;
}

/** The button that signs in with a passkey. The script shows it where the browser has passkeys. */
export function PasskeySignIn({ label, next }: PasskeySignInProps): VNode {
  return (
    <div data-passkeys hidden>
      <PostForm
        action={passkeySignInPath}
        data={{ passkey: 'sign-in', options: signInOptionsPath }}
        hidden={{ credential: '', next: next ?? '' }}
      >
        <div class="actions">
          <button>{label}</button>
        </div>
        <p class="trouble" role="alert" hidden />
      </PostForm>
    </div>
  );
}

import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { csrfField } from './csrf.js';

/** The token that the forms of a page carry. */
export const CsrfToken = createContext('');

export interface PostFormProps {
  action: string;
  class?: string;
  /** Hidden fields, such as the sequence of the booking as the page shows it. */
  hidden?: Record<string, string | number>;
  /** `data-…` attributes, for the page's script. */
  data?: Record<string, string>;
  children: ComponentChildren;
}

/** A form that changes something. */
export function PostForm({
  action,
  hidden = {},
  data = {},
  children,
  ...rest
}: PostFormProps): VNode {
  const token = useContext(CsrfToken);
  const attributes = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [`data-${name}`, value]),
  );
  return (
    <form method="post" action={action} class={rest.class} noValidate {...attributes}>
      {/* Before anybody is signed in there is none. */}
      {token !== '' && <input type="hidden" name={csrfField} value={token} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

/** What Enter in a field presses where the form begins with other buttons: it is its first (HTML, 4.10.22.2). */
export function DefaultButton(): VNode {
  return <button hidden />;
}

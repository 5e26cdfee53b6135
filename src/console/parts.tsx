import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { csrfField } from './session.js';

/** The token that the forms of a page carry. */
export const CsrfToken = createContext('');

export interface PostFormProps {
  action: string;
  class?: string;
  /** Hidden fields, such as the sequence of the booking as the page shows it. */
  hidden?: Record<string, string | number | undefined>;
  /** `data-…` attributes, for the page's script. */
  data?: Record<string, string>;
  children: ComponentChildren;
}

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
      {/* There is no token before the sign-in. */}
      {token !== '' && <input type="hidden" name={csrfField} value={token} />}
      {Object.entries(hidden).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}

/** The button that Enter presses where the form begins with other buttons: the first (HTML, 4.10.22.2). */
export function DefaultButton(): VNode {
  return <button hidden />;
}

/** Words for screen readers only. */
export function Unseen({ children }: { children: ComponentChildren }): VNode {
  return <span class="visually-hidden">{children}</span>;
}

export interface FoldedFormProps extends PostFormProps {
  /** The label of the button that unfolds the form; `…` is added. */
  label: string;
  /** The label's object: `the key of Ada`. */
  of?: ComponentChildren;
  isOpen?: boolean;
  isLarge?: boolean;
}

/** A form behind a button, so that one press does nothing. */
export function FoldedForm(props: FoldedFormProps): VNode {
  const { label, of, isOpen = false, isLarge = false, ...form } = props;
  return (
    <details open={isOpen}>
      <summary class={isLarge ? 'button quiet' : 'button quiet small'}>
        {label}
        {of !== undefined && <Unseen> {of}</Unseen>}…
      </summary>
      <PostForm {...form} />
    </details>
  );
}

/** A name and what is shown beside it; nothing where that is false, null or empty. */
export type Fact = [name: string, value: ComponentChildren];

/** A list of facts. `name`: the key by which the page's script updates it. */
export function Facts({ facts, name }: { facts: readonly Fact[]; name?: string }): VNode {
  const known = facts.filter(([, value]) => value !== false && value !== null && value !== '');
  return (
    <dl class="facts" data-key={name}>
      {known.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A typed text, isolated from the direction of the text around it; null if empty. */
export function isolated(text: string | null): VNode | null {
  return text === null || text === '' ? null : <bdi>{text}</bdi>;
}

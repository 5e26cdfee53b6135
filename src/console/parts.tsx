import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { csrfField } from './session.js';

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

/** Words that only screen readers say. */
export function Unseen({ children }: { children: ComponentChildren }): VNode {
  return <span class="visually-hidden">{children}</span>;
}

export interface FoldedFormProps extends PostFormProps {
  /** Of the button that unfolds it, which adds `…`. */
  label: string;
  /** What the label leaves to be seen: `the key of Ada`. */
  of?: ComponentChildren;
  isOpen?: boolean;
  isLarge?: boolean;
}

/** A form that a button unfolds, so that nothing is done by one press. */
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

/** `name`: by which the page's script keeps it up to date. */
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

/** What a person typed, kept apart from the direction of the text around it; null if nothing. */
export function isolated(text: string | null): VNode | null {
  return text === null || text === '' ? null : <bdi>{text}</bdi>;
}

import {
  type ComponentChildren,
  createContext,
  type InputHTMLAttributes,
  type VNode,
} from 'preact';
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

export interface TextFieldProps {
  /** Also its id, unless one is given. */
  name: string;
  id?: string;
  label: string;
  hint?: string;
  optional?: boolean;
  required?: boolean;
  type?: 'text' | 'date' | 'email' | 'tel' | 'url';
  value: string;
  /** What is wrong with the value. */
  mistake?: string | undefined;
  /** Of a text with line breaks. */
  rows?: number;
  /** The id of a datalist. */
  list?: string;
  autocomplete?: InputHTMLAttributes['autocomplete'];
}

/** A field with its label. Hint and mistake stand beside the field, which refers to them. */
export function TextField(props: TextFieldProps): VNode {
  const { name, id = name, label, hint, optional = false, value, mistake, rows, list } = props;
  const describedBy = [
    hint !== undefined && `${id}-hint`,
    mistake !== undefined && `${id}-mistake`,
  ].filter(Boolean);
  const common = {
    id,
    name,
    required: props.required,
    autocomplete: props.autocomplete ?? 'off',
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
    'aria-invalid': mistake === undefined ? undefined : ('true' as const),
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="muted"> (optional)</span>}
      </label>
      {hint !== undefined && (
        <p class="fine" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {mistake !== undefined && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake}
        </p>
      )}
      {rows === undefined ? (
        <input {...common} type={props.type ?? 'text'} value={value} list={list} />
      ) : (
        // The parser drops a line break that comes first.
        <textarea {...common} rows={rows}>
          {`\n${value}`}
        </textarea>
      )}
    </div>
  );
}

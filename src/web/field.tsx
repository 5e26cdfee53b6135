import type { InputHTMLAttributes, VNode } from 'preact';
import { useLanguage } from '../locales/context.js';

export interface FieldProps {
  /** Also its id, unless one is given. */
  name: string;
  id?: string;
  label: string;
  hint?: string;
  optional?: boolean;
  required?: boolean;
  type?: 'text' | 'date' | 'time' | 'email' | 'tel' | 'url';
  value: string;
  /** What is wrong with the value. */
  mistake?: string | undefined;
  /** The rows of a text with line breaks. */
  rows?: number;
  /** The id of a datalist. */
  list?: string;
  autocomplete?: InputHTMLAttributes['autocomplete'];
}

/** A field with its label. Hint and mistake stand beside the field, which refers to them. */
export function Field(props: FieldProps): VNode {
  const { name, id = name, label, hint, optional = false, value, mistake, rows, list } = props;
  const { t } = useLanguage();
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
        {optional && <span class="muted"> {t('form.optional')}</span>}
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

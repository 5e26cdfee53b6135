import { Marked } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import type { Schema } from './document.js';

// Our guides and `openapi.yaml` have no HTML: what looks like it is text.
const marked = new Marked({ tokenizer: { html: () => undefined, tag: () => undefined } });

/** A guide, or a description of `openapi.yaml`. */
export function Markdown({ text }: { text: string }): VNode {
  const html = marked.parse(text, { async: false });
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Long lines wrap, so that nothing scrolls sideways. */
export function Code({ text }: { text: string }): VNode {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

/** The members of an object, or the values. */
export function SchemaBody({ schema }: { schema: Schema }): VNode {
  const { description, properties, required = [] } = schema;
  return (
    <>
      {description !== undefined && <Markdown text={description} />}
      {properties === undefined ? (
        <p>
          <Type schema={schema} />
        </p>
      ) : (
        <dl class="members">
          {Object.entries(properties).map(([name, member]) => (
            <Member key={name} name={name} isRequired={required.includes(name)} schema={member} />
          ))}
        </dl>
      )}
    </>
  );
}

export interface MemberProps {
  name: string;
  isRequired: boolean;
  schema: Schema;
  /** The description in place of the schema's. */
  description?: string | undefined;
  children?: ComponentChildren;
}

/** A member or parameter: its name, type and meaning. */
export function Member(props: MemberProps): VNode {
  const { name, isRequired, schema, description = schema.description, children } = props;
  return (
    <div>
      <dt>
        <code>{name}</code>
        {isRequired && <span class="fine"> required</span>}
      </dt>
      <dd>
        <p>
          <Type schema={schema} />
          {children}
        </p>
        {description !== undefined && <Markdown text={description} />}
      </dd>
    </div>
  );
}

/** A type in words, with links to the types that it names. */
export function Type({ schema }: { schema: Schema }): VNode {
  const { $ref, oneOf, items, properties, type = 'any', format } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1);
    return <a href={`#${name}`}>{name}</a>;
  }
  if (oneOf !== undefined)
    return (
      <Listed
        parts={oneOf.map((each) => (
          <Type schema={each} />
        ))}
      />
    );
  if (schema.enum !== undefined) {
    return (
      <Listed
        parts={schema.enum.map((value) => (
          <code>{JSON.stringify(value)}</code>
        ))}
      />
    );
  }
  if (items !== undefined) {
    return (
      <>
        array of <Type schema={items} />
        {boundsOf(schema)}
      </>
    );
  }
  if (properties !== undefined) {
    return (
      <>
        object with{' '}
        {Object.entries(properties).map(([name, member], index) => (
          <>
            {index > 0 && ', '}
            <code>{name}</code> (<Type schema={member} />)
          </>
        ))}
      </>
    );
  }
  return (
    <>
      {[type].flat().join(' or ')}
      {format !== undefined && ` (${format})`}
      {boundsOf(schema)}
    </>
  );
}

function Listed({ parts }: { parts: VNode[] }): VNode {
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index > 0 && ' or '}
          {part}
        </>
      ))}
    </>
  );
}

const bounds = [
  ['minLength', 'at least', ' characters'],
  ['maxLength', 'at most', ' characters'],
  ['minItems', 'at least', ' items'],
  ['maxItems', 'at most', ' items'],
  ['minimum', 'at least', ''],
  ['maximum', 'at most', ''],
] as const;

/** `, at most 120 characters`. */
function boundsOf(schema: Schema): string {
  const known = bounds.filter(([name]) => schema[name] !== undefined);
  return known.map(([name, words, unit]) => `, ${words} ${schema[name]}${unit}`).join('');
}

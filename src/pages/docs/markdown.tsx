import type { ComponentChildren, VNode } from 'preact';

/**
 * Markdown as our guides and `openapi.yaml` are written in it: headings, paragraphs, lists of two
 * levels, tables, code, bold and links. Everything else is text, HTML too.
 */
export function Markdown({ text }: { text: string }): VNode {
  // What is in parentheses lies between the other parts: every second part is code.
  const parts = text.split(/^```.*\n([^]*?)\n```$/m);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <Code text={part} />
        ) : (
          part
            .trim()
            .split(/\n{2,}/)
            .map(blockOf)
        ),
      )}
    </>
  );
}

function blockOf(block: string): VNode | null {
  if (block === '') return null;
  const [, level, heading = ''] = /^(#{1,3}) (.*)$/.exec(block) ?? [];
  if (level !== undefined) {
    const Heading = `h${level.length}` as 'h1';
    return <Heading>{inline(heading)}</Heading>;
  }
  if (block.startsWith('|')) return <Table lines={block.split('\n')} />;
  if (/^\s*- /.test(block)) return <List text={block} />;
  return <p>{inline(block)}</p>;
}

/** Long lines wrap, so that nothing scrolls sideways. */
export function Code({ text }: { text: string }): VNode {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

function Table({ lines: [head = '', , ...rows] }: { lines: string[] }): VNode {
  const cells = (line: string): string[] =>
    line
      .replaceAll(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
  const names = cells(head);
  return (
    <table>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {inline(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {cells(row).map((cell, column) => (
              <td key={names[column]}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function List({ text }: { text: string }): VNode {
  return (
    <ul>
      {text.split(/^- /m).flatMap((item) => {
        const [own = '', ...nested] = item.split(/\n(?= {2}- )/);
        if (own === '') return [];
        return (
          <li key={own}>
            {inline(own)}
            {nested.length > 0 && <List text={nested.join('\n').replaceAll(/^ {2}/gm, '')} />}
          </li>
        );
      })}
    </ul>
  );
}

const span =
  /`(?<code>[^`]+)`|\*\*(?<bold>.+?)\*\*|\[(?<label>[^\]]+)\]\((?<href>(?:https?:|\/)[^)\s]*)\)/;

function inline(text: string): ComponentChildren {
  const found = span.exec(text);
  if (found === null) return text;
  const { code, bold, label, href } = found.groups as Record<string, string | undefined>;
  return (
    <>
      {text.slice(0, found.index)}
      {code !== undefined && <code>{code}</code>}
      {bold !== undefined && <b>{inline(bold)}</b>}
      {label !== undefined && <a href={href ?? ''}>{inline(label)}</a>}
      {inline(text.slice(found.index + found[0].length))}
    </>
  );
}

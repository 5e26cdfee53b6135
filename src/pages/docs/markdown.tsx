import { Marked } from 'marked';
import type { VNode } from 'preact';

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

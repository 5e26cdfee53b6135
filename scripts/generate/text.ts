import type { Json } from './document.js';

export const header = '// Made from openapi.yaml by `npm run generate`; never edited by hand.\n\n';

/** A JSDoc comment with the description of a schema or operation, or nothing without one. */
export function jsDoc(annotated: Json | undefined): string {
  if (typeof annotated !== 'object' || annotated === null || Array.isArray(annotated)) return '';
  const text = annotated['description'] ?? annotated['summary'];
  if (typeof text !== 'string') return '';
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n').flatMap(wrap);
  if (lines.length === 1) return `\n/** ${lines[0]} */\n`;
  return `\n/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function wrap(line: string): string[] {
  return line === '' ? [''] : (line.match(/\S.{0,84}\S{0,200}(?=\s|$)/gu) ?? [line]);
}

import ts from 'typescript';
import type { Candidate } from './mutant.js';

/** Of Kysely: a query without the call is another query. */
const removable = new Set([
  ...['where', 'whereRef', 'having', 'orderBy', 'limit', 'forUpdate', 'forShare', 'skipLocked'],
  ...['noWait', 'distinctOn', 'distinct', 'onConflict'],
]);
const operators: Record<string, string> = {
  '=': '!=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  is: 'is not',
  'is not': 'is',
  asc: 'desc',
  desc: 'asc',
  in: 'not in',
};
/** In the text of `sql` templates. */
const textMutations: [RegExp, string][] = [
  [/(?<![<>!:|-])=(?![=>])/g, '<>'],
  [/<=(?!>)/g, '<'],
  [/(?<![<>=|-])<(?![=>@-])/g, '<='],
  [/(?<![<>=|-])>=/g, '>'],
  [/(?<![<>=|-])>(?![=>])/g, '>='],
  [/\band\b/g, 'or'],
  [/\bor\b(?! replace)/g, 'and'],
  [/\bfor (no key )?update( of \w+)?\b/g, ''],
  [/\bskip locked\b/g, ''],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not )\bexists\b/g, 'not exists'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bdesc\b/g, ''],
  [/\bunion all\b/g, 'union'],
  [/\bleft join\b/g, 'join'],
  [/(?<=\border by \w+(\.\w+)?)(?= *[,\n)`])/g, ' desc'],
];

/** What Stryker does not know: locks, filters, orders and comparisons of SQL. */
export function sqlCandidates(file: string, text: string): Candidate[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Candidate[] = [];
  const add = (mutator: string, start: number, end: number, replacement: string) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const original = text.slice(start, end);
    found.push({ file, line, start, end, mutator, original, replacement, switchId: null });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: query, name } = node.expression;
      if (removable.has(name.text)) add('SqlCall', query.getEnd(), node.getEnd(), '');
    }
    if (ts.isCallExpression(node)) {
      for (const argument of node.arguments.filter((each) => ts.isStringLiteral(each))) {
        const other = operators[argument.text];
        if (other !== undefined && node.arguments.length > 1) {
          add('SqlOperator', argument.getStart(), argument.getEnd(), `'${other}'`);
        }
      }
    }
    if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText())) {
      for (const part of templateParts(node.template)) {
        const partText = text.slice(part.getStart(), part.getEnd());
        for (const [pattern, replacement] of textMutations) {
          for (const match of partText.matchAll(pattern)) {
            const start = part.getStart() + match.index;
            add('SqlText', start, start + match[0].length, replacement);
          }
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function templateParts(template: ts.TemplateLiteral): ts.Node[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template];
  return [template.head, ...template.templateSpans.map(({ literal }) => literal)];
}

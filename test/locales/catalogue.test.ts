import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import t from 'tap';
import ts from 'typescript';
import { argumentsOf } from '../../scripts/generate/messages.js';
import { projectRoot } from '../support/project.js';

interface Source {
  file: string;
  root: ts.SourceFile;
}

const parse = (file: string, text: string): Source => ({
  file,
  root: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true),
});

/** Files in which a person reads all that is read. */
const isRead =
  /^src\/(pages|mail\/templates|mcp\/view)\/|^src\/mail\/subject|^src\/web\/((layout|error-page|field|artist-links|person-form)\.|browser\/|assets\/)/;

/** What the studio and developers read. */
const isOfOthers =
  /^src\/(pages\/(guide\/|docs\/|discovery|calendar-feed|fixed-files)|mail\/templates\/(studio|calendar|style)|web\/assets\/(console|passkeys))/;

/** Attributes with texts that a program reads. */
const programs = /^(class|style|rel|media|name|aria-(describedby|labelledby))$/;

/** Attributes with a text, however short, that a person reads or hears. */
const worded = /^(title|alt|aria-label|label|hint|placeholder|legend|summary|lead|preview|term)$/;

/** Two words. */
const phrase = /\p{L}{2,}[,.:;’]? +\p{L}{2,}/u;

/** Styles, and headers and meta elements with parameters. */
const isForProgram = (text: string) =>
  /\d(px|rem|%)|\w=|^<!doctype/.test(text) || ['light dark', 'noindex, nofollow'].includes(text);

const sources = readdirSync(join(projectRoot, 'src'), { encoding: 'utf8', recursive: true })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((file) => /\.(tsx?|js)$/.test(file))
  .map((file) => parse(file, readFileSync(join(projectRoot, file), 'utf8')));

const viewPage = readFileSync(join(projectRoot, 'src/mcp/view/page/page.html'), 'utf8');

/** `en`, and what another language adds, as its file in `src/locales` has them. */
const catalogues = new Map(
  sources.flatMap(({ file, root }) => {
    const tag = /^src\/locales\/([a-z]{2,3}(?:-\w+)?)\.ts$/.exec(file)?.[1];
    return tag === undefined ? [] : [[tag, sentencesOf(root)]];
  }),
);
const en = catalogues.get('en') ?? {};

t.test('no sentence that a person reads stands outside the catalogue', async (t) => {
  const persons = sources.filter(({ file }) => isRead.test(file) && !isOfOthers.test(file));
  t.ok(persons.length > 40);
  const words = load(viewPage)
    .text()
    .replaceAll(/\{\{[\w.]+\}\}|\/\*.*?\*\//g, '');
  t.notMatch(words, /\p{L}/u, 'the page of the view');
  for (const { file, root } of persons) t.strictSame(sentencesIn(root), [], file);

  const planted = `
    const refusal = isLate ? 'late_reason' : \`It is \${time}, too late.\`;
    throw new Error('not for people');
    function Step({ isLate }: Props) {
      return (
        <Message class="two classes" lead={isLate ? 'Sorry' : t('checkout.pay')} title="Hello">
          Go on{' '}
          {isLate && <b aria-label={\`Until \${time}\`}>{day === 'monday' ? null : 'now'}</b>}
        </Message>
      );
    }`;
  t.strictSame(sentencesIn(parse('planted.tsx', planted).root), [
    'It is',
    ', too late.',
    'Sorry',
    'Hello',
    'Go on',
    'Until',
    'now',
  ]);
});

t.test('each sentence of the catalogue is used', async (t) => {
  const code = sources.filter(({ file }) => !file.startsWith('src/locales/en.'));
  const texts = new Set<string>();
  const patterns: RegExp[] = [];
  const words = new Set<string>();
  for (const [, key = ''] of viewPage.matchAll(/\{\{([\w.]+)\}\}/g)) texts.add(key);
  for (const { root } of code) {
    for (const [word] of root.text.matchAll(/\w+/g)) words.add(word);
    visitAll(root, (node) => {
      if (ts.isStringLiteralLike(node)) texts.add(node.text);
      if (!ts.isTemplateExpression(node) || !/^\w+\./.test(node.head.text)) return;
      const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
      const fixed = parts.map(({ text }) => text.replaceAll(/[^\w]/g, String.raw`\$&`));
      patterns.push(new RegExp(`^${fixed.join(String.raw`(\w+(?:\.\w+)?)`)}$`));
    });
  }
  const isMade = (key: string) =>
    patterns.some((pattern) => {
      const holes = pattern.exec(key)?.slice(1);
      return holes?.every((hole) => hole.split('.').every((word) => words.has(word)));
    });
  t.ok(Object.keys(en).length > 100);
  t.strictSame(
    Object.keys(en).filter((key) => !texts.has(key) && !isMade(key)),
    [],
  );
  t.notOk(isMade('mail.subject.never_sent'), 'a key whose last word stands nowhere');
});

t.test('each language has each sentence, with the same arguments', async (t) => {
  for (const [tag, catalogue] of catalogues) t.strictSame(mistakesIn(catalogue), [], tag);

  const wrong = {
    ...en,
    'checkout.contact': '{email}, {telephone}',
    'checkout.where': '{address} <map>Abrir el mapa',
    'time.minutes_left': '{minutes, plural, one {un minuto}}',
    'time.spare': 'de sobra',
  };
  delete (wrong as Record<string, string>)['checkout.pay'];
  t.match(mistakesIn(wrong).toSorted(), [
    /^checkout.contact: .*phone/,
    'checkout.pay: is missing',
    /^checkout.where: UNCLOSED_TAG/,
    /^time.minutes_left: MISSING_OTHER_CLAUSE/,
    'time.spare: is not in English',
  ]);
});

/** The texts that are, or may be, shown to a person, but for those of errors, the studio and agents. */
function sentencesIn(root: ts.SourceFile): string[] {
  const found: string[] = [];
  visitAll(root, (node) => {
    if (ts.isJsxAttribute(node) && programs.test(node.name.getText())) return false;
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) return false;
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'error') return false;
    if (/^(studioSubject|tellModel|personOrApi)$/.test(nameOf(node))) return false;
    if (
      !ts.isJsxText(node) &&
      !ts.isLiteralExpression(node) &&
      !ts.isTemplateMiddleOrTemplateTail(node) &&
      !ts.isTemplateHead(node)
    )
      return;
    const text = node.text.replaceAll(/&\w+;/g, ' ').trim();
    const isSentence = phrase.test(text) || (/\p{L}/u.test(text) && isShown(node));
    if (isSentence && !isForProgram(text)) found.push(text);
  });
  return found;
}

/** Whether a text is a child of an element, or an attribute that is read, or a part of one. */
function isShown(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isJsxText(node)) return true;
  if (ts.isJsxAttribute(parent)) return worded.test(parent.name.getText());
  if (ts.isJsxExpression(parent)) return !ts.isJsxAttribute(parent.parent) || isShown(parent);
  const isPart =
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isBinaryExpression(parent) && /^(\|\||&&|\?\?|\+)$/.test(parent.operatorToken.getText()));
  return isPart && isShown(parent);
}

function nameOf(node: ts.Node): string {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node);
  return isNamed ? (node.name?.getText() ?? '') : '';
}

/** Visits each node, but not below one for which `visit` returns false. */
function visitAll(node: ts.Node, visit: (node: ts.Node) => false | void): void {
  if (visit(node) !== false) ts.forEachChild(node, (child) => visitAll(child, visit));
}

/** The sentences of a catalogue, by key. */
function sentencesOf(root: ts.SourceFile): Record<string, string> {
  const sentences: Record<string, string> = {};
  visitAll(root, (node) => {
    if (!ts.isPropertyAssignment(node) || !ts.isStringLiteralLike(node.initializer)) return;
    sentences[node.name.getText().replaceAll("'", '')] = node.initializer.text;
  });
  return sentences;
}

function mistakesIn(catalogue: Readonly<Record<string, string>>): string[] {
  const lacking = Object.keys(en).filter((key) => !(key in catalogue));
  const mistakes = lacking.map((key) => `${key}: is missing`);
  for (const [key, text] of Object.entries(catalogue)) {
    const english = en[key];
    if (english === undefined) mistakes.push(`${key}: is not in English`);
    else
      try {
        const [has, needs] = [text, english].map((each) =>
          [...argumentsOf(each)]
            .map((argument) => argument.join(' is '))
            .toSorted()
            .join(', '),
        );
        if (has !== needs) mistakes.push(`${key}: needs ${needs}; has ${has}`);
      } catch (error) {
        mistakes.push(`${key}: ${(error as Error).message}`);
      }
  }
  return mistakes;
}

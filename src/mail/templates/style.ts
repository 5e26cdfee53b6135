import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../platform/package-root.js';

interface StyleProps {
  class: string;
  style: string;
}

/**
 * A colour as inline style, for mail programs that remove stylesheets, and as a class that changes in
 * dark mode.
 */
export function tone(color: Exclude<Color, 'line'>, style = ''): StyleProps {
  const property = color === 'paper' ? 'background-color' : 'color';
  return { class: color, style: `${property}:${readPalette().light[color]};${style}` };
}

/** A thin line above or below. */
export function ruled(side: 'top' | 'bottom', style = ''): StyleProps {
  return { class: 'line', style: `border-${side}:1px solid ${readPalette().light.line};${style}` };
}

/** The two fonts of the pages, at sizes in pixels. */
export function display(size: number, lineHeight: number): string {
  return `font:400 ${size}px/${lineHeight} ${fontStack('display')};`;
}

export function sans(size: number, lineHeight = 1.55): string {
  return `font:400 ${size}px/${lineHeight} ${fontStack('text')};`;
}

/** Font names in single quotes, since `style` attributes are in double quotes. */
function fontStack(name: 'display' | 'text'): string {
  return readPalette()[name].replaceAll('"', "'").replace(/\s+/g, ' ');
}

/** Media queries, which inline styles cannot express. */
export function stylesheet(): string {
  const { dark } = readPalette();
  return `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; }
td { overflow-wrap: anywhere; }
@media (max-width: 480px) {
  .edge { padding-left: 20px !important; padding-right: 20px !important; }
  .wide { width: 100% !important; }
  .button a { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${dark.paper} !important; }
  .ink { color: ${dark.ink} !important; }
  .muted { color: ${dark.muted} !important; }
  .line { border-color: ${dark.line} !important; }
  .dark-moon { border-color: ${dark.muted} !important; }
  .full-moon { background-color: ${dark.ink} !important; border-color: ${dark.ink} !important; }
  .button { background-color: ${dark.ink} !important; }
  .button a { border-color: ${dark.ink} !important; color: ${dark.paper} !important; }
}
`;
}

/** The stylesheet for Outlook on Windows, which ignores max-width. */
export const outlookStylesheet =
  '<!--[if mso]><style>.column { width: 600px !important; }</style><![endif]-->';

const colors = ['paper', 'ink', 'muted', 'line'] as const;
type Color = (typeof colors)[number];

let palette: ReturnType<typeof parseTokens> | undefined;

/** The colours and fonts of the pages as values, read once: many mail programs ignore custom properties. */
export function readPalette() {
  palette ??= parseTokens(
    readFileSync(join(packageRoot(), 'src/web/assets/page/1-tokens.css'), 'utf8'),
  );
  return palette;
}

function parseTokens(css: string) {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const colorsIn = (part: string) =>
    Object.fromEntries(colors.map((color) => [color, tokenIn(part, color)])) as Record<
      Color,
      string
    >;
  return {
    light: colorsIn(light),
    dark: colorsIn(dark),
    display: tokenIn(light, 'display'),
    text: tokenIn(light, 'text'),
  };
}

function tokenIn(css: string, name: string): string {
  const value = new RegExp(`--${name}:([^;]+);`).exec(css)?.[1];
  if (value === undefined) throw new Error(`the stylesheet has no token --${name}`);
  return value.trim();
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../platform/package-root.js';

export type Color = 'paper' | 'ink' | 'muted' | 'line';

/** The colours and fonts of the pages, as values: many mail programs ignore custom properties. */
export interface Palette {
  light: Record<Color, string>;
  dark: Record<Color, string>;
  display: string;
  text: string;
}

let palette: Palette | undefined;

/** Reads the design tokens of the pages, once. */
export function readPalette(): Palette {
  palette ??= parseTokens(
    readFileSync(join(packageRoot(), 'src/web/assets/page.css/1-tokens.css'), 'utf8'),
  );
  return palette;
}

function parseTokens(css: string): Palette {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  return {
    light: colorsIn(light),
    dark: colorsIn(dark),
    display: tokenIn(light, 'display'),
    text: tokenIn(light, 'text'),
  };
}

function colorsIn(css: string): Record<Color, string> {
  return {
    paper: tokenIn(css, 'paper'),
    ink: tokenIn(css, 'ink'),
    muted: tokenIn(css, 'muted'),
    line: tokenIn(css, 'line'),
  };
}

function tokenIn(css: string, name: string): string {
  const value = new RegExp(`--${name}:([^;]+);`).exec(css)?.[1];
  if (value === undefined) throw new Error(`the stylesheet has no token --${name}`);
  return value.trim();
}

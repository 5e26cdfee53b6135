import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { lazily } from '../platform/concurrency.js';
import { packageRoot } from '../platform/package-root.js';
import { encodeAll, sendEncoded } from './representation.js';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

export function assetsFolder(): string {
  return join(packageRoot(), 'src', 'web', 'assets');
}

/** The script that other websites load; its address has no hash. */
export const embedScript = 'embed.js';

/** The URL of each asset, which contains a hash of its content, by file name. */
export type Assets = Record<string, string>;

/**
 * Serves the stylesheets and scripts in `assets/` under URLs that change with the content, so that
 * browsers cache them permanently. Each is compressed at its first request: a start has better things
 * to do. A folder `name.css` is one stylesheet, joined from its files in the order of their names.
 */
export function registerAssets(app: FastifyInstance): Assets {
  const folder = assetsFolder();
  const assets: Assets = {};
  for (const name of readdirSync(folder)) {
    if (name === embedScript) continue;
    const extension = extname(name);
    const type = types[extension];
    if (type === undefined) continue;
    const content = Buffer.from(inlineReferences(readAsset(join(folder, name)), folder));
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    const url = `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`;
    assets[name] = url;
    const encoded = lazily(() => encodeAll(content, 'best'));
    app.get(url, async (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(type);
      return sendEncoded(request, reply, await encoded());
    });
  }
  return assets;
}

function readAsset(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8');
  const parts = readdirSync(path).sort();
  return parts.map((part) => readFileSync(join(path, part), 'utf8')).join('\n');
}

/**
 * Replaces references by their content, which saves requests: fonts that a stylesheet names by
 * their file in a package, modules that a script imports, and the browser's side of WebAuthn.
 */
function inlineReferences(asset: string, folder: string): string {
  const require = createRequire(import.meta.url);
  return inlineModules(asset, folder)
    .replace(/url\('(@[^']+\.woff2)'\)/g, (_match, file: string) => {
      const font = readFileSync(require.resolve(file)).toString('base64');
      return `url('data:font/woff2;base64,${font}')`;
    })
    .replace(
      /^import (\{[^}]+\}) from '@simplewebauthn\/browser';$/m,
      (_match, names: string) => `${webauthnBundle()}\nconst ${names} = SimpleWebAuthnBrowser;`,
    );
}

/** The package's bundle, which makes a global `SimpleWebAuthnBrowser`, and which its exports do not name. */
function webauthnBundle(): string {
  const main = createRequire(import.meta.url).resolve('@simplewebauthn/browser');
  return readFileSync(join(dirname(main), '..', 'dist', 'bundle', 'index.umd.min.js'), 'utf8');
}

const importStatement = /^import [^;]* from '(\.{1,2}\/[\w./-]+\.js)';$/gm;

/**
 * Replaces the relative imports of a browser script, which lies in `folder`, by the modules'
 * content, each once: one file loads faster than several. All share one scope, so their top-level
 * names must differ.
 */
export function inlineModules(script: string, folder: string, seen = new Set<string>()): string {
  return script.replace(importStatement, (_match, file: string) => {
    const path = join(folder, file);
    if (seen.has(path)) return '';
    seen.add(path);
    const content = readFileSync(path, 'utf8').replace(/^export /gm, '');
    return inlineModules(content, dirname(path), seen);
  });
}

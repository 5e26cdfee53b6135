import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../platform/package-root.js';
import { encodeAll, sendEncoded } from './encoding.js';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The address of each asset by its file name; it carries a hash of the content. */
export type Assets = Record<string, string>;

/**
 * Serves the styles and scripts that lie in `assets/` under names that change with the content, to
 * be cached for good, compressed once. A folder `name.css` is one asset: its files, in order of name.
 */
export async function registerAssets(app: FastifyInstance): Promise<Assets> {
  const folder = join(packageRoot(), 'src', 'pages', 'assets');
  const assets: Assets = {};
  for (const name of readdirSync(folder)) {
    const extension = extname(name);
    const type = types[extension];
    if (type === undefined) continue;
    const content = Buffer.from(embed(readAsset(join(folder, name)), folder));
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    const url = `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`;
    assets[name] = url;
    const encoded = await encodeAll(content, 'often');
    app.get(url, (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(type);
      return sendEncoded(request, reply, encoded);
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
 * What an asset is made with travels inside it, as one request less: the font that a style names by
 * its file in a package, and the parts that a script imports.
 */
function embed(asset: string, folder: string): string {
  const require = createRequire(import.meta.url);
  return asset
    .replace(/url\('(@[^']+\.woff2)'\)/g, (_match, file: string) => {
      const font = readFileSync(require.resolve(file)).toString('base64');
      return `url('data:font/woff2;base64,${font}')`;
    })
    .replace(/^import .* from '\.\/(parts\/[\w-]+\.js)';$/gm, (_match, file: string) =>
      readFileSync(join(folder, file), 'utf8').replace(/^export /gm, ''),
    );
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../package-root.js';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The address of each asset by its file name; it carries a hash of the content. */
export type Assets = Record<string, string>;

/** Serves what lies in `assets/` under names that change with the content, to be cached for good. */
export function registerAssets(app: FastifyInstance): Assets {
  const folder = join(packageRoot(), 'src', 'pages', 'assets');
  const assets: Assets = {};
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    const extension = extname(name);
    const url = `/assets/${name.slice(0, -extension.length)}-${hash}${extension}`;
    assets[name] = url;
    app.get(url, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(types[extension] ?? 'application/octet-stream')
        .send(content),
    );
  }
  return assets;
}

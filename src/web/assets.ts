import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { lazily } from '../platform/concurrency.js';
import { packageRoot } from '../platform/package-root.js';
import { encodeAll, sendEncoded } from './representation.js';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The URL of each asset, which contains a hash of its content, by file name. */
export type Assets = Record<string, string>;

/** The file of a bundle that the build makes for browsers (`scripts/bundle.js`). */
export function browserBundle(name: string): string {
  return join(packageRoot(), 'dist', 'assets', name);
}

/**
 * Serves the stylesheets and scripts under URLs that change with the content, so that browsers cache them
 * permanently. Each is compressed at its first request, to shorten the start.
 */
export function registerAssets(app: FastifyInstance): Assets {
  const assets: Assets = {};
  for (const name of readdirSync(browserBundle('.'))) {
    const extension = extname(name);
    const type = types[extension];
    if (type === undefined) continue;
    const content = readFileSync(browserBundle(name));
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

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { lazily } from '../platform/concurrency.js';
import { assetsFolder, embedScript } from '../web/assets.js';
import { encodeAll, sendEncoded } from '../web/representation.js';

/**
 * `/embed.js`: the script that other websites load to show `/book` in a frame. Its address is written in
 * their pages and never changes, so browsers cache the script for an hour only.
 */
export function registerEmbed(app: FastifyInstance): void {
  const content = readFileSync(join(assetsFolder(), embedScript));
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const encoded = lazily(() => encodeAll(content, 'best'));
  app.get(`/${embedScript}`, async (request, reply) => {
    reply
      .header('cache-control', 'public, max-age=3600')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-content-type-options', 'nosniff')
      .type('text/javascript; charset=utf-8');
    return sendEncoded(request, reply, await encoded(), tag);
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CalendarServices } from '../board/services.js';
import { lazily } from '../platform/concurrency.js';
import { packageRoot } from '../platform/package-root.js';
import { encodeAll, entityTag, sendEncoded } from '../web/representation.js';

/** Their types, by name. */
const files = {
  /** The script by which other websites show `/book` in a frame. */
  'embed.js': 'text/javascript; charset=utf-8',
  'favicon.ico': 'image/x-icon',
  'apple-touch-icon.png': 'image/png',
  'icon.png': 'image/png',
  /** The image that chats show beside a link to a page. */
  'share.png': 'image/png',
};

/**
 * Files with fixed addresses, since others name them: browsers cache them for an hour only; and the
 * manifest of the website, with the studio's name.
 */
export function registerFixedFiles(
  app: FastifyInstance,
  { board }: Pick<CalendarServices, 'board'>,
): void {
  for (const [name, type] of Object.entries(files)) {
    const content = readFileSync(join(packageRoot(), 'src/web/assets', name));
    const etag = entityTag(content);
    const encoded = lazily(() => encodeAll(content, 'best'));
    app.get(`/${name}`, async (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=3600')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-content-type-options', 'nosniff')
        .type(type);
      return sendEncoded(request, reply, await encoded(), etag);
    });
  }
  app.get('/manifest.webmanifest', async (_request, reply) => {
    const { studio } = await board.read();
    const [color, background] = ['#14191f', '#f5f1e8'];
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(
        JSON.stringify({
          name: studio.name,
          start_url: '/',
          display: 'minimal-ui',
          theme_color: color,
          background_color: background,
          icons: [{ src: '/icon.png', sizes: '512x512', type: 'image/png' }],
        }),
      );
  });
}

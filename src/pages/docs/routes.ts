import type { FastifyInstance } from 'fastify';
import type { VNode } from 'preact';
import type { Config } from '../../config/config.js';
import { english } from '../../locales/language.js';
import { lazily } from '../../platform/concurrency.js';
import type { Assets } from '../../web/assets.js';
import { encodePublicPage, sendPublicPage, type PublicPage } from '../../web/send-page.js';
import type { Guide } from '../guide/guide.js';
import { integrationsGuide } from '../guide/integrations.js';
import { DocsPage, type DocsPath, Reference } from './docs-page.js';
import { Markdown } from './schema.js';

/** `/docs/`, the reference of the interface, and both guides as pages. */
export function registerDocs(
  app: FastifyInstance,
  { config }: { config: Config },
  assets: Assets,
  guide: Guide,
): void {
  const show = (path: DocsPath, children: VNode) =>
    encodePublicPage(english, DocsPage({ assets, path, children }));
  const integrations = lazily(() =>
    show('/guide/integrations', Markdown({ text: integrationsGuide(config) })),
  );
  const reference = lazily(() => show('/docs/', Reference()));
  let shown: { text: string; page: Promise<PublicPage> } | null = null;

  const pages: Record<DocsPath, () => Promise<PublicPage>> = {
    '/guide': async () => {
      const text = await guide();
      if (shown?.text !== text) shown = { text, page: show('/guide', Markdown({ text })) };
      return shown.page;
    },
    '/guide/integrations': integrations,
    '/docs/': reference,
  };
  for (const [path, read] of Object.entries(pages)) {
    app.get(path, async (request, reply) => sendPublicPage(request, reply, await read()));
  }
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
}

import type { FastifyInstance } from 'fastify';
import { document } from '../../generated/document.js';
import type { PlatformServices } from '../platform/services.js';
import { todayInZone } from '../calendar/slots.js';
import { bookPath } from './book-link.js';
import { agentGuide } from './guide.js';

const day = 'public, max-age=86400';
const markdown = 'text/markdown; charset=utf-8';

/**
 * Discovery for agents, crawlers and browsers: `/llms.txt` (llmstxt.org), `/guide.md`,
 * `/.well-known/api-catalog` (RFC 9727), `/robots.txt` (RFC 9309), and `Link` headers on the start
 * page (RFC 8288).
 */
export function registerDiscovery(
  app: FastifyInstance,
  { config, clock }: Pick<PlatformServices, 'config' | 'clock'>,
): void {
  const base = config.publicBaseUrl;
  const texts: [path: string, type: string, text: string][] = [
    ['/llms.txt', markdown, llmsText(base)],
    ['/robots.txt', 'text/plain; charset=utf-8', robotsText(base)],
    [
      '/.well-known/api-catalog',
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      JSON.stringify(apiCatalog(base)),
    ],
  ];
  const links = [
    '</.well-known/api-catalog>; rel="api-catalog"',
    '</api/public/openapi.json>; rel="service-desc"; type="application/json"',
    '</docs/>; rel="service-doc"; type="text/html"',
    '</llms.txt>; rel="alternate"; type="text/markdown"',
  ].join(', ');

  for (const [path, type, text] of texts) {
    app.get(path, (_request, reply) =>
      reply.header('cache-control', day).header('link', links).type(type).send(text),
    );
  }
  app.get('/guide.md', (_request, reply) => {
    const guide = agentGuide(config, todayInZone('UTC', clock.now()));
    const text = `# ${document.info.title}\n\n${guide}\n`;
    return reply.header('cache-control', day).header('link', links).type(markdown).send(text);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url === '/' || url === bookPath) reply.header('link', links);
    done();
  });
}

function llmsText(base: string): string {
  return `# ${document.info.title}

> Book a session at a tattoo studio on behalf of a person: look the studio up, list open times, place
> a 15-minute hold, and hand the person a link. Only the person opens the link and confirms; agents
> never complete checkout. Free, and without credentials.

## For agents

- [Guide](${base}/guide.md): the flow, the rules, limits, errors, webhooks and MCP set-up, with a command for each step
- [OpenAPI description](${base}/api/public/openapi.json): every operation, machine-readable
- [Capabilities](${base}/api/public/capabilities): what is offered, with every limit as configured
- [MCP server card](${base}/api/public/mcp/server-card): the connector at ${base}/api/public/mcp

## For people

- [Book](${base}${bookPath}): the open times, and a form that holds one
- [Reference](${base}/docs/): the same, to read and to try
- [Dashboard](${base}/): the studio's calendar, live
`;
}

// Each of these links is private to one person: crawlers must not follow them.
function robotsText(base: string): string {
  return `User-agent: *
Disallow: /checkout/
Disallow: /reminders/
Allow: /

# For agents: ${base}/llms.txt
`;
}

function apiCatalog(base: string): object {
  return {
    linkset: [
      {
        anchor: `${base}/api/public`,
        'service-desc': [{ href: `${base}/api/public/openapi.json`, type: 'application/json' }],
        'service-doc': [
          { href: `${base}/docs/`, type: 'text/html' },
          { href: `${base}/guide.md`, type: 'text/markdown' },
        ],
        'service-meta': [{ href: `${base}/api/public/capabilities`, type: 'application/json' }],
        status: [{ href: `${base}/readyz`, type: 'application/json' }],
      },
      {
        anchor: `${base}/api/public/mcp`,
        'service-desc': [{ href: `${base}/api/public/mcp/server-card`, type: 'application/json' }],
        'service-doc': [{ href: `${base}/guide.md`, type: 'text/markdown' }],
      },
    ],
  };
}

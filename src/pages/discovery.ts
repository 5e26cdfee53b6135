import type { FastifyInstance } from 'fastify';
import { document } from '../../generated/document.js';
import type { CalendarState } from '../board/board.js';
import type { CalendarServices } from '../board/services.js';
import { mailtoUri } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import { choosableArtists } from '../schedule/artists.js';
import { durationWords } from '../schedule/words.js';
import { bookPath, bookUrlTemplate } from '../web/book-link.js';
import { createStudioText, type Guide, guideType } from './guide/guide.js';
import { integrationsGuide } from './guide/integrations.js';

const day = 'public, max-age=86400';
/** The cache time of pages with the studio's details, its date, and settings of a start. */
const fiveMinutes = 'public, max-age=300';
const markdown = `${guideType}; charset=utf-8`;

/**
 * Discovery for agents, crawlers and browsers: `/llms.txt` (llmstxt.org), `/guide.md`,
 * `/guide/integrations.md`, `/.well-known/api-catalog` (RFC 9727), `/robots.txt` (RFC 9309), and `Link`
 * headers on the start page (RFC 8288). There is no skill under `/.well-known/agent-skills/` or over MCP
 * (SEP-2640): in November 2026, one of the common hosts reads these, and in part.
 */
export function registerDiscovery(
  app: FastifyInstance,
  { board, config }: Pick<CalendarServices, 'board' | 'config'>,
  guide: Guide,
): void {
  const base = config.publicBaseUrl;
  const integrations = integrationsGuide(config);
  const texts: [path: string, type: string, text: string][] = [
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
    '</guide.md>; rel="alternate"; type="text/markdown"',
    '</guide/integrations.md>; rel="alternate"; type="text/markdown"',
    '</llms.txt>; rel="alternate"; type="text/markdown"',
    '</privacy>; rel="privacy-policy"; type="text/html"',
  ].join(', ');

  for (const [path, type, text] of texts) {
    app.get(path, (_request, reply) =>
      reply.header('cache-control', day).header('link', links).type(type).send(text),
    );
  }
  const guides = {
    '/guide.md': guide,
    '/guide/integrations.md': () => Promise.resolve(integrations),
    '/llms.txt': createStudioText(board, (state) => llmsText(config, state)),
  };
  for (const [path, read] of Object.entries(guides)) {
    app.get(path, async (_request, reply) => {
      reply.header('cache-control', fiveMinutes).header('link', links).type(markdown);
      return reply.send(await read());
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url === '/' || url === bookPath) reply.header('link', links);
    done();
  });
}

function llmsText(
  { publicBaseUrl: base, holdLifetimeSeconds }: Config,
  state: CalendarState,
): string {
  const isOne = choosableArtists(state).length === 0;
  return `# ${document.info.title}

> Book a session at a tattoo studio on behalf of a person: look the studio up, list open times, place
> a hold of ${durationWords(holdLifetimeSeconds)}, and hand the person a link. Only the person opens
> the link and confirms; agents never complete checkout. Free, and without credentials.

## For agents

- [Guide](${base}/guide.md): all that a booking takes, with a command for each step, and whose act each is
- [Integrations](${base}/guide/integrations.md): limits, API keys, webhooks, MCP set-up, compatibility
- [OpenAPI description](${base}/api/public/openapi.json): every operation, machine-readable
- For a person who is away${isOne ? '' : ', or wants a certain artist'}: ${bookUrlTemplate(base, state)} (RFC 6570) is a link that holds the time when they press
- [Capabilities](${base}/api/public/capabilities): what is offered, with every limit as configured
- [MCP server card](${base}/api/public/mcp/server-card): the connector at ${base}/api/public/mcp

## For people

- [Book](${base}${bookPath}): the open times, and a form that holds one
- [Front page](${base}/): the studio, and its open times, live
- [Guide](${base}/guide) and [reference](${base}/docs/), as pages
- [Privacy](${base}/privacy): what is kept of a person, why, and for how long
`;
}

// Each of these links is private to one person: crawlers must not follow them. Feeds are not listed:
// hosts of calendars, such as Google, obey this and would fetch none.
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
          { href: `${base}/guide/integrations.md`, type: 'text/markdown' },
        ],
        'service-meta': [{ href: `${base}/api/public/capabilities`, type: 'application/json' }],
        status: [{ href: `${base}/readyz`, type: 'application/json' }],
      },
      {
        anchor: `${base}/api/public/mcp`,
        'service-desc': [
          { href: `${base}/api/public/mcp/server-card`, type: 'application/mcp-server-card+json' },
        ],
        'service-doc': [{ href: `${base}/guide/integrations.md`, type: 'text/markdown' }],
      },
    ],
  };
}

const path = '/.well-known/security.txt';
const dayMs = 86_400_000;
/** The days of validity: RFC 9116 recommends less than a year. */
const validDays = 90;

/** `/.well-known/security.txt` (RFC 9116): the contact for vulnerabilities of this installation. */
export function registerSecurityTxt(
  app: FastifyInstance,
  { board, clock, config }: Pick<CalendarServices, 'board' | 'clock' | 'config'>,
): void {
  app.get(path, async (_request, reply) => {
    const contact = config.securityContact ?? mailtoUri((await board.read()).studio.email);
    const expires = new Date((Math.floor(clock.now() / dayMs) + validDays) * dayMs);
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      // Addresses of http are not valid here.
      ...(config.publicBaseUrl.startsWith('https:')
        ? [`Canonical: ${config.publicBaseUrl}${path}`]
        : []),
    ];
    return reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`);
  });
}

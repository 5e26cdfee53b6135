import type { FastifyInstance } from 'fastify';
import type { CalendarServices } from '../board/services.js';
import { mailtoUri } from '../platform/addresses.js';

const path = '/.well-known/security.txt';
const dayMs = 86_400_000;
/** RFC 9116 wants less than a year; readers fetch it again. */
const validDays = 90;

/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this installation. */
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

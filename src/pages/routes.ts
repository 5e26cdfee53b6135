import type { FastifyInstance } from 'fastify';
import type { DomainServices } from '../domain/deps.js';
import type { Assets } from '../web/assets.js';
import { registerBook } from './book/routes.js';
import { registerCalendarFeed } from './calendar-feed.js';
import { registerCheckout } from './checkout/routes.js';
import { registerDashboard } from './dashboard/routes.js';
import { registerDiscovery, registerSecurityTxt } from './discovery.js';
import { registerDocs } from './docs/routes.js';
import { registerFixedFiles } from './fixed-files.js';
import { createGuide } from './guide/guide.js';
import { registerPrivacy } from './privacy.js';
import { registerReminders } from './reminders.js';

/** Registers the pages of the person, and what crawlers and agents read outside the API prefix. */
export function registerPages(
  pages: FastifyInstance,
  context: DomainServices,
  assets: Assets,
): void {
  const guide = createGuide(context);
  registerFixedFiles(pages, context);
  registerBook(pages, context, assets);
  registerCalendarFeed(pages, context);
  registerCheckout(pages, context, assets);
  registerDashboard(pages, context, assets, guide);
  registerDiscovery(pages, context, guide);
  registerDocs(pages, context, assets, guide);
  registerPrivacy(pages, context, assets);
  registerReminders(pages, context, assets);
  registerSecurityTxt(pages, context);
}

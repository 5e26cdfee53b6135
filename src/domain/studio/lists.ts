import type { CalendarServices } from '../../board/services.js';
import type {
  MailOverview,
  RecentDelivery,
  SubscriptionOverview,
} from '../../database/rows/results.js';
import type { ApiKeyRow, AuditRow, BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { isUuid } from '../../platform/uuid.js';
import { listApiKeys } from '../../repositories/api-keys.js';
import { listAuditRows } from '../../repositories/audit.js';
import { listBookingNames } from '../../repositories/booking-search.js';
import { type FigureRow, readFigureRows } from '../../repositories/figures.js';
import {
  countMailProblems,
  listMailProblems,
  listMails,
  type MailFilter,
} from '../../repositories/mail-admin.js';
import { listSubscriptions } from '../../repositories/webhook-admin.js';
import { listRecentDeliveries } from '../../repositories/webhook-subscriptions.js';
import { addDays, weekdayOf } from '../../schedule/dates.js';
import { todayInZone } from '../../schedule/slots.js';
import { type CodeBudgetServices, wereCodesUsedUp } from '../booking/code-budgets.js';

// The lists of the studio, newest first, a page at a time.

type ListServices = Pick<DatabaseServices, 'database'>;

export interface ListPage<Row> {
  rows: Row[];
  /** Whether there are more than the page has. */
  more: boolean;
}

/** A page of `limit` rows. `found` has one more where there are more. */
export function pageOf<Row>(found: readonly Row[], limit: number): ListPage<Row> {
  return { rows: found.slice(0, limit), more: found.length > limit };
}

export interface PageRequest {
  limit: number;
  /** The last row of the previous page: its position or, for keys and subscriptions, its id. */
  before?: string | null | undefined;
}

async function readPage<Row>(
  { limit, before = null }: PageRequest,
  list: (page: { limit: number; before: string | null }) => Promise<Row[]>,
): Promise<ListPage<Row>> {
  return pageOf(await list({ limit: limit + 1, before }), limit);
}

export function listStudioMails(
  { database }: ListServices,
  filter: MailFilter,
  page: PageRequest,
): Promise<ListPage<MailOverview>> {
  return readPage(page, (bounds) => listMails(database, filter, bounds));
}

export function listStudioKeys(
  { database }: ListServices,
  { email = null, ...page }: PageRequest & { email?: string | null },
): Promise<ListPage<ApiKeyRow>> {
  return readPage(page, (bounds) => listApiKeys(database, { email, ...bounds }));
}

export type NamedBooking = Pick<BookingRow, 'id' | 'name'>;

/** The entries, and the bookings that the actions name, by id. */
export async function listStudioAudit(
  { database }: ListServices,
  page: PageRequest,
): Promise<ListPage<AuditRow> & { bookings: ReadonlyMap<string, NamedBooking> }> {
  const audit = await readPage(page, ({ limit, before }) => listAuditRows(database, limit, before));
  const ids = audit.rows.flatMap(({ details }) =>
    bookingDetails.flatMap((name) => details[name] ?? []),
  );
  const bookings = await listBookingNames(database, ids.map(String).filter(isUuid));
  return { ...audit, bookings: new Map(bookings.map((booking) => [booking.id, booking])) };
}

/** The details of actions that are ids of bookings. */
export const bookingDetails: readonly string[] = [
  'booking_id',
  'cancelled_bookings',
  'changed_bookings',
  'decided_bookings',
];

export function listStudioWebhooks(
  { database }: ListServices,
  { idPrefix = '', ...page }: PageRequest & { idPrefix?: string },
): Promise<ListPage<SubscriptionOverview>> {
  return readPage(page, (bounds) => listSubscriptions(database, { idPrefix, ...bounds }));
}

export interface MailProblems {
  /** The newest mails. */
  mails: MailOverview[];
  /** All that failed within seven days. */
  failed: number;
  /** All that have been due for over a minute. */
  overdue: number;
  areCodesUsedUp: boolean;
}

/** The mails that failed, the number of those that are overdue, and whether codes were refused. */
export async function readMailProblems(
  services: ListServices & CodeBudgetServices,
  limit: number,
): Promise<MailProblems> {
  const { database } = services;
  const [mails, counts, areCodesUsedUp] = await Promise.all([
    listMailProblems(database, limit),
    countMailProblems(database),
    wereCodesUsedUp(services),
  ]);
  return { mails, ...counts, areCodesUsedUp };
}

export interface WebhookRecord {
  subscription: SubscriptionOverview;
  /** Newest first. */
  deliveries: RecentDelivery[];
}

/** Null if no subscription has the id. */
export async function readWebhookRecord(
  { database }: ListServices,
  id: string,
  limit: number,
): Promise<WebhookRecord | null> {
  const [[subscription], deliveries] = await Promise.all([
    listSubscriptions(database, { idPrefix: id, limit: 1 }),
    listRecentDeliveries(database, id, limit),
  ]);
  return subscription === undefined ? null : { subscription, deliveries };
}

export type Figures = Pick<FigureRow, 'holds' | 'added' | 'confirmed' | 'leadDays'>;
export type ChannelFigures = Pick<FigureRow, 'channel' | 'platform'> & Figures;

export interface WeekFigures {
  /** The Monday of the week. */
  week: string;
  total: Figures;
  /** The channels with holds in this week, the busiest first. */
  channels: ChannelFigures[];
}

/**
 * How many holds were placed and confirmed, and how long before the session, in each of the last ISO
 * weeks on the studio's clocks; the running week first. The studio's own additions are counted apart.
 */
export async function readFigures(
  { board, clock, database }: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
  weeks: number,
): Promise<WeekFigures[]> {
  const { timezone } = (await board.read()).studio;
  const rows = await readFigureRows(database, timezone, weeks);
  const today = todayInZone(timezone, clock.now());
  const monday = addDays(today, 1 - weekdayOf(today));
  return Array.from({ length: weeks }, (_, index) => {
    const week = addDays(monday, -7 * index);
    const ofWeek = rows.filter((row) => row.week === week);
    const total = ofWeek.find(({ isTotal }) => isTotal);
    return {
      week,
      total: total ?? { holds: 0, added: 0, confirmed: 0, leadDays: null },
      channels: ofWeek.filter(({ isTotal }) => !isTotal),
    };
  });
}

/**
 * What must be true after every fault, judged from the rows, from the receiver's log and from what
 * clients received, and from nothing that the service says of itself.
 */

export interface Evidence {
  bookings: BookingFacts[];
  events: { id: string; type: string; bookingId: string | null; isDispatched: boolean }[];
  subscriptions: { id: string; events: string[] }[];
  /** Of every row of a delivery that has not ended. */
  undelivered: { eventId: string; subscriptionId: string; status: string }[];
  /** What receivers got, with a signature that verifies. */
  received: { eventId: string; subscriptionId: string }[];
  /** Of confirmations: the rows, and the ids of those that the mail server has received. */
  mails: { id: string; bookingId: string; recipient: string; status: string }[];
  mailed: string[];
  /** Whether the fault may have kept a process from recording that a mail was sent. */
  mayRepeatMails: boolean;
  /** What clients received: a 201, or a confirmation. */
  acknowledged: { held: AcknowledgedHold[]; confirmed: string[] };
  /** What each process shows as open, and what is open by the rows; as `date time`. */
  boards: { process: string; shown: Set<string>; open: Set<string> }[];
  /** Processes that ended unasked after all was well again, or that do not answer. */
  restless: string[];
  /** Answers that no fault excuses, with how many there were. */
  wrongAnswers: [what: string, count: number][];
}

export interface AcknowledgedHold {
  id: string;
  slot: string;
}

/** A row; instants in milliseconds since the epoch. */
export interface BookingFacts extends AcknowledgedHold {
  status: string;
  createdAt: number;
  expiresAt: number;
  confirmedAt: number | null;
  cancelledAt: number | null;
}

/** A sentence for each thing that is wrong; none when all is well. */
export function audit(evidence: Evidence): string[] {
  return [
    ...slotsHeldTwice(evidence),
    ...bookingsLost(evidence),
    ...eventsMissing(evidence),
    ...deliveriesMissing(evidence),
    ...mailsMissing(evidence),
    ...boardsThatDiffer(evidence),
    ...evidence.restless,
    ...evidence.wrongAnswers.map(([what, count]) => `${count} × ${what}`),
  ];
}

function slotsHeldTwice({ bookings }: Evidence): string[] {
  const findings: string[] = [];
  const heldUntil = new Map<string, { id: string; at: number }>();
  for (const booking of [...bookings].sort((one, other) => one.createdAt - other.createdAt)) {
    const before = heldUntil.get(booking.slot);
    if (before !== undefined && booking.createdAt < before.at) {
      findings.push(`${booking.slot} was held by ${before.id} and ${booking.id} at once`);
    }
    heldUntil.set(booking.slot, { id: booking.id, at: endOf(booking) });
  }
  return findings;
}

function endOf({ cancelledAt, confirmedAt, expiresAt }: BookingFacts): number {
  return cancelledAt ?? (confirmedAt === null ? expiresAt : Infinity);
}

function bookingsLost({ bookings, acknowledged }: Evidence): string[] {
  const rows = new Map(bookings.map((booking) => [booking.id, booking]));
  return [
    ...acknowledged.held
      .filter(({ id, slot }) => rows.get(id)?.slot !== slot)
      .map(({ id }) => `the hold ${id} was answered with 201 and is no row`),
    ...acknowledged.confirmed
      .filter((id) => rows.get(id)?.confirmedAt == null)
      .map((id) => `the booking ${id} was confirmed to its person and is not`),
  ];
}

function eventsMissing({ bookings, events }: Evidence): string[] {
  const findings = events
    .filter(({ isDispatched }) => !isDispatched)
    .map(({ id, type }) => `the event ${id} (${type}) was never dispatched`);
  const counts = new Map<string, number>();
  for (const { type, bookingId } of events) {
    const key = `${type} ${bookingId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const { id, status, confirmedAt, cancelledAt } of bookings) {
    const expected = {
      'hold.created': true,
      'booking.confirmed': confirmedAt !== null,
      'booking.cancelled': cancelledAt !== null,
      'hold.expired': status === 'expired',
    };
    for (const [type, isExpected] of Object.entries(expected)) {
      const count = counts.get(`${type} ${id}`) ?? 0;
      if (count === Number(isExpected)) continue;
      findings.push(`the booking ${id} (${status}) has ${count} events ${type}`);
    }
  }
  return findings;
}

function deliveriesMissing({ events, subscriptions, undelivered, received }: Evidence): string[] {
  const arrived = new Set(received.map((each) => `${each.subscriptionId} ${each.eventId}`));
  return [
    ...undelivered.map(
      ({ eventId, status }) => `the delivery of ${eventId} is ${status} and not delivered`,
    ),
    ...subscriptions.flatMap(({ id, events: wanted }) =>
      events
        .filter((event) => wanted.includes(event.type) && !arrived.has(`${id} ${event.id}`))
        .map((event) => `the receiver never got ${event.id} (${event.type})`),
    ),
  ];
}

function mailsMissing({ bookings, mails, mailed, mayRepeatMails }: Evidence): string[] {
  const findings: string[] = [];
  for (const { id } of bookings.filter(({ confirmedAt }) => confirmedAt !== null)) {
    for (const recipient of ['person', 'studio']) {
      const own = mails.filter((mail) => mail.bookingId === id && mail.recipient === recipient);
      if (own.length === 1) continue;
      findings.push(`the booking ${id} has ${own.length} mails to the ${recipient}`);
    }
  }
  for (const { id, status } of mails) {
    if (status !== 'sent') findings.push(`the mail ${id} is ${status}`);
    const count = mailed.filter((each) => each === id).length;
    if (count === 1 || (count > 1 && mayRepeatMails)) continue;
    findings.push(`the mail ${id} arrived ${count} times`);
  }
  return findings;
}

function boardsThatDiffer({ boards }: Evidence): string[] {
  return boards.flatMap(({ process, shown, open }) => [
    ...[...shown]
      .filter((slot) => !open.has(slot))
      .map((slot) => `${process} shows ${slot} as open, and it is taken`),
    ...[...open]
      .filter((slot) => !shown.has(slot))
      .map((slot) => `${process} shows ${slot} as taken, and it is open`),
  ]);
}

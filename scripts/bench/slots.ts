export interface Slot {
  date: string;
  time_slot: string;
}

interface Page {
  data: { days: { date: string; slots: { time_slot: string }[] }[] };
}

/** The BOOKING_HORIZON_DAYS of the measured services, at the most. */
const horizonDays = 730;

/** The first `count` slots that are open from the day after tomorrow on. */
export async function openSlots(url: string, count: number): Promise<Slot[]> {
  const slots: Slot[] = [];
  const last = Date.now() + horizonDays * 86_400_000;
  let from = Date.now() + 2 * 86_400_000;
  while (slots.length < count) {
    const to = from + 31 * 86_400_000;
    const [first, final] = [from, to].map((day) => new Date(day).toISOString().slice(0, 10));
    const answer = await fetch(`${url}/api/public/availability?from=${first}&to=${final}`);
    const { data } = (await answer.json()) as Page;
    if (from > last) throw new Error(`only ${slots.length} slots are open`);
    for (const day of data.days) {
      for (const { time_slot } of day.slots) slots.push({ date: day.date, time_slot });
    }
    from = to + 86_400_000;
  }
  return slots.slice(0, count);
}

export function holdBody(slot: Slot): string {
  return JSON.stringify({
    ...slot,
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
  });
}

interface PlacedHold {
  id: string;
  checkout_url: string;
}

/** Holds the slot. Throws if it is not held. */
export async function placeHold(url: string, slot: Slot): Promise<PlacedHold> {
  const answer = await fetch(`${url}/api/public/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: holdBody(slot),
  });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: PlacedHold }).data;
}

/** 31 days from the day after tomorrow on. */
export function month(): { from: string; to: string } {
  const [from = '', to = ''] = [2, 32].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  return { from, to };
}

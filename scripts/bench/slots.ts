/** What a hold of the slot sends. */
export function holdBody(slot: { date: string; time_slot: string }): string {
  return JSON.stringify({
    ...slot,
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
  });
}

/** 31 days from the day after tomorrow on. */
export function month(): { from: string; to: string } {
  const [from = '', to = ''] = [2, 32].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  return { from, to };
}

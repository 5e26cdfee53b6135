import type { Listener } from '../../src/database/listener.js';

/** Resolves with the booking's id when the database announces the next event of the type. */
export function nextEvent(listener: Listener, type: string): Promise<string | null> {
  return new Promise((resolve) => {
    const unsubscribe = listener.subscribe('booking_events', {
      notified(payload) {
        const event = JSON.parse(payload) as { type: string; booking_id: string | null };
        if (event.type !== type) return;
        unsubscribe();
        resolve(event.booking_id);
      },
    });
  });
}

import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import { bookPath } from '../../web/book-link.js';

export function BookAnother({ children }: { children?: ComponentChildren }): VNode {
  return (
    <p>
      {children ?? 'Would you like another time?'}{' '}
      <a href={bookPath}>See what is open and book it</a>. You can also ask your assistant, or write
      to us.
    </p>
  );
}

export function Message({ lead, children }: { lead: string; children: ComponentChildren }): VNode {
  return (
    <section class="next">
      <p class="lead">{lead}</p>
      {children}
    </section>
  );
}

export function CalendarDownload({ path, children }: { path: string; children: string }): VNode {
  return (
    <a href={`${path}/calendar.ics`} download="session.ics">
      {children}
    </a>
  );
}

/** The studio's words for the person about its latest change. */
export function StudioWord({ booking }: { booking: BookingRow }): VNode | null {
  const { studio_word: word } = booking;
  return word === null ? null : (
    <div>
      <p class="muted">A word from us:</p>
      <blockquote class="word">
        <bdi>{word}</bdi>
      </blockquote>
    </div>
  );
}

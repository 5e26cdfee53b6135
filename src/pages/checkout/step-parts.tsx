import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import { useLanguage } from '../../locales/context.js';
import { bookPath } from '../../web/book-link.js';

export function BookAnother({ children }: { children?: string }): VNode {
  const { t, rich } = useLanguage();
  return (
    <p>
      {children ?? t('checkout.another_time')}{' '}
      {rich('checkout.another', { book: (words) => <a href={bookPath}>{words}</a> })}
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

interface Download {
  path: string;
  children: ComponentChildren;
}

export function CalendarDownload({ path, children }: Download): VNode {
  return (
    <a href={`${path}/calendar.ics`} download="session.ics">
      {children}
    </a>
  );
}

/** The studio's words for the person about its latest change. */
export function StudioWord({ booking }: { booking: BookingRow }): VNode | null {
  const { studio_word: word } = booking;
  const { t } = useLanguage();
  return word === null ? null : (
    <div>
      <p class="muted">{t('checkout.studio_word')}</p>
      <blockquote class="word">
        <bdi>{word}</bdi>
      </blockquote>
    </div>
  );
}

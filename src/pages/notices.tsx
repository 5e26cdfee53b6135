import type { VNode } from 'preact';
import type { StudioRow } from '../repositories/studio.js';

/** What the studio wants people to know before a session. */
export function Notices({ studio }: { studio: StudioRow }): VNode | null {
  if (studio.notices.length === 0) return null;
  return (
    <section class="notices" aria-labelledby="notices">
      <h2 id="notices">Good to know</h2>
      <dl>
        {studio.notices.map(({ title, text }) => (
          <div key={title}>
            <dt dir="auto">{title}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

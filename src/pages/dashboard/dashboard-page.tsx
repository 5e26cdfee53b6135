import type { VNode } from 'preact';
import { WEEKDAYS } from '../../schedule/dates.js';
import { mapLink } from '../../schedule/map-link.js';
import type { Assets } from '../../web/assets.js';
import { bookPath } from '../../web/book-link.js';
import { Colophon, Layout } from '../../web/layout.js';
import { ComingAddresses } from '../parts.js';
import { hoursLines } from './days.js';
import { Present, type PresentProps } from './present.js';

export interface DashboardPageProps extends PresentProps {
  assets: Assets;
  publicBaseUrl: string;
}

/** The dashboard: the studio, its open times, and the latest changes. */
export function DashboardPage(props: DashboardPageProps): VNode {
  const { studio, openingHours } = props.state;
  return (
    <Layout
      assets={props.assets}
      title={`${studio.name}: open times`}
      kind="dashboard"
      script="dashboard.js"
      stylesheet="dashboard.css"
      indexed
      description={studio.description}
      sharing={{ studio, openingHours, publicBaseUrl: props.publicBaseUrl, path: '/' }}
    >
      <div class="window">
        <header class="front">
          <h1>{studio.name}</h1>
          <p class="lead">{studio.description}</p>
          <div class="connection">
            <p id="connection" role="status" />
            <p id="viewers" class="muted" />
            <noscript>
              <p>
                This is the calendar as of when you opened the page. Load it again to update it.
              </p>
            </noscript>
          </div>
        </header>
        <main>
          <Present {...props} />
        </main>
        <p class="visually-hidden" id="news" role="status" />
        <section class="visit" aria-labelledby="visit-title">
          <h2 id="visit-title">Where and when</h2>
          <address>
            {studio.street}
            <br />
            {studio.city}, {studio.region} {studio.postal_code}
            <br />
            <a href={mapLink(studio)} rel="noopener noreferrer">
              Open the map
            </a>
            <ComingAddresses {...props.state} />
          </address>
          <dl class="hours">
            {hoursLines(openingHours).map(({ from, to, hours }) => (
              <div key={from}>
                <dt>{dayRange(from, to)}</dt>
                <dd>{hours}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section class="booking" aria-labelledby="booking-title">
          <h2 id="booking-title">How to book</h2>
          <p>Choose an open time, tell us who you are, and confirm. Booking is free.</p>
          <p>
            <a class="button" href={bookPath}>
              Choose a time
            </a>
          </p>
          <p>
            Or ask your assistant: it holds a time for you and gives you a link; you open it and
            confirm. Assistants find all they need in <a href="/guide.md">the guide</a>, developers
            in <a href="/docs">the reference</a>.
          </p>
        </section>
        <Colophon studio={studio} />
      </div>
    </Layout>
  );
}

function dayRange(from: number, to: number): string {
  const name = (weekday: number): string => {
    const full = WEEKDAYS[weekday - 1] ?? '';
    return `${full.slice(0, 1).toUpperCase()}${full.slice(1, 3)}`;
  };
  return from === to ? name(from) : `${name(from)} – ${name(to)}`;
}

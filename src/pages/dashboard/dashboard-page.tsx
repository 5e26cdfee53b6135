import type { VNode } from 'preact';
import { mapLink } from '../../schedule/addresses.js';
import { bookableWeek } from '../../schedule/bookable-week.js';
import { sessionLengthWords } from '../../schedule/words.js';
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

/** The front page: what the studio does, how to book, and its open times, live. */
export function DashboardPage(props: DashboardPageProps): VNode {
  const { studio } = props.state;
  const week = bookableWeek(props.state);
  return (
    <Layout
      assets={props.assets}
      title={`${studio.name}: open times`}
      kind="dashboard"
      script="dashboard.js"
      stylesheet="dashboard.css"
      indexed
      description={studio.description}
      sharing={{ studio, week, publicBaseUrl: props.publicBaseUrl, path: '/' }}
    >
      <div class="window">
        <header class="front">
          <h1>{studio.name}</h1>
          <p class="lead">{studio.description}</p>
          <p>
            <a class="button" href={bookPath}>
              Choose a time
            </a>
          </p>
          <p class="fine">
            Choose an open time, tell us who you are, and confirm. Booking is free, and a session
            takes {sessionLengthWords}.
          </p>
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
            {hoursLines(week).map(({ days, hours }) => (
              <div key={days}>
                <dt>{days}</dt>
                <dd>{hours}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section class="booking" aria-labelledby="booking-title">
          <h2 id="booking-title">With an assistant</h2>
          <p>
            Your assistant can hold a time for you and give you a link; you open it and confirm. All
            that it needs to know is in <a href="/guide">the guide</a>.
          </p>
        </section>
        <Colophon studio={studio} />
      </div>
    </Layout>
  );
}

import type { VNode } from 'preact';
import { useLanguage } from '../../locales/context.js';
import { mapLink } from '../../schedule/addresses.js';
import { bookableWeek, datedHours } from '../../schedule/bookable-week.js';
import { longestSessionHours } from '../../schedule/slots.js';
import type { Assets } from '../../web/assets.js';
import { bookPath } from '../../web/book-link.js';
import { Colophon, Layout } from '../../web/layout.js';
import { ComingAddresses } from '../parts.js';
import { datedLines, hoursLines } from './days.js';
import { Present, type PresentProps } from './present.js';

export interface DashboardPageProps extends PresentProps {
  assets: Assets;
  publicBaseUrl: string;
}

/** The front page: what the studio does, how to book, and its open times, live. */
export function DashboardPage(props: DashboardPageProps): VNode {
  const { studio } = props.state;
  const week = bookableWeek(props.state);
  const dated = datedHours(props.state);
  const language = useLanguage();
  const { t, rich } = language;
  return (
    <Layout
      assets={props.assets}
      title={t('front.title', { studio: studio.name })}
      kind="dashboard"
      script="dashboard.js"
      stylesheet="dashboard.css"
      indexed
      description={studio.description}
      sharing={{ studio, week, dated, publicBaseUrl: props.publicBaseUrl, path: '/' }}
    >
      <div class="window">
        <header class="front">
          <h1>{studio.name}</h1>
          <p class="lead">{studio.description}</p>
          <p>
            <a class="button" href={bookPath}>
              {t('front.choose')}
            </a>
          </p>
          <p class="fine">{t('front.how', { hours: longestSessionHours })}</p>
        </header>
        <main>
          <Present {...props} />
        </main>
        <p class="visually-hidden" id="news" role="status" />
        <section class="visit" aria-labelledby="visit-title">
          <h2 id="visit-title">{t('front.visit.heading')}</h2>
          <address>
            {studio.street}
            <br />
            {studio.city}, {studio.region} {studio.postal_code}
            <br />
            <a href={mapLink(studio)} rel="noopener noreferrer">
              {t('front.visit.map')}
            </a>
            <ComingAddresses {...props.state} />
          </address>
          <dl class="hours">
            {[...hoursLines(language, week), ...datedLines(language, dated)].map(
              ({ days, hours }) => (
                <div key={days}>
                  <dt>{days}</dt>
                  <dd>{hours}</dd>
                </div>
              ),
            )}
          </dl>
        </section>
        <section class="booking" aria-labelledby="booking-title">
          <h2 id="booking-title">{t('front.assistant.heading')}</h2>
          <p>{rich('front.assistant', { guide: (words) => <a href="/guide">{words}</a> })}</p>
        </section>
        <Colophon studio={studio} />
      </div>
    </Layout>
  );
}

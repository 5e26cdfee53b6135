import type { VNode } from 'preact';
import type { StudioRow } from '../database/rows/studio.js';
import type { DomainServices } from '../domain/deps.js';
import { privacySentences } from '../domain/studio/personal-copy.js';
import { useLanguage } from '../locales/context.js';
import type { Assets } from '../web/assets.js';
import type { PageScope } from '../web/forms.js';
import { languageOf } from '../web/language.js';
import { StudioPage } from '../web/layout.js';
import { encodePublicPage, sendPublicPage } from '../web/send-page.js';
import { Notices } from './parts.js';

/** `/privacy`: the policy that app directories require; the studio's own, if it has one elsewhere. */
export function registerPrivacy(
  app: PageScope,
  { board, config }: Pick<DomainServices, 'board' | 'config'>,
  assets: Assets,
): void {
  app.get('/privacy', async (request, reply) => {
    if (config.privacyUrl !== null) {
      return reply.header('cache-control', 'public, max-age=300').redirect(config.privacyUrl, 302);
    }
    const { studio } = await board.read();
    const page = <PrivacyPage {...{ assets, studio, config }} />;
    return sendPublicPage(request, reply, await encodePublicPage(languageOf(request), page));
  });
}

function PrivacyPage({ assets, studio, config }: PrivacyPageProps): VNode {
  const language = useLanguage();
  const { t } = language;
  const about = privacySentences(language, studio, config);
  const title = t('privacy.title');
  return (
    <StudioPage studio={studio} assets={assets} title={title} kind="privacy" indexed>
      <main>
        <div class="choice">
          <h1>{title}</h1>
          <p>{t('privacy.lead', { studio: studio.name })}</p>
        </div>
        <section class="notices" aria-label={t('privacy.kept.label')}>
          <dl>
            {(Object.keys(about) as (keyof typeof about)[]).map((subject) => (
              <div key={subject}>
                <dt>{t(`privacy.${subject}`)}</dt>
                {about[subject].map((sentence) => (
                  <dd key={sentence}>{sentence}</dd>
                ))}
              </div>
            ))}
          </dl>
        </section>
        <Notices studio={studio} />
      </main>
    </StudioPage>
  );
}

interface PrivacyPageProps extends Pick<DomainServices, 'config'> {
  assets: Assets;
  studio: StudioRow;
}

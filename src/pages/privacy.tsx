import type { DomainServices } from '../domain/deps.js';
import { privacySentences } from '../domain/studio/personal-copy.js';
import { inWords } from '../views/personal-copy-page.js';
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
    const { what_is_not_shown: _, ...about } = privacySentences(studio, config);
    const page = (
      <StudioPage studio={studio} assets={assets} title="Privacy" kind="privacy" indexed>
        <main>
          <div class="choice">
            <h1>Privacy</h1>
            <p>
              When you book, {studio.name} keeps your name, e-mail address and telephone number, and
              your pronouns and your idea if you give them. Pages set only the cookies by which they
              know what this browser holds, and load nothing from other websites.
            </p>
          </div>
          <section class="notices" aria-label="What is kept">
            <dl>
              {Object.entries(about).map(([subject, sentences]) => (
                <div key={subject}>
                  <dt>{inWords(subject)}</dt>
                  {sentences.map((sentence) => (
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
    return sendPublicPage(request, reply, await encodePublicPage(languageOf(request), page));
  });
}

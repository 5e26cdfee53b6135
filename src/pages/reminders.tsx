import type { VNode } from 'preact';
import type { ReminderChoice } from '../database/rows/results.js';
import type { StudioRow } from '../database/rows/studio.js';
import { changeReminderChoice, findReminderChoice } from '../domain/booking/reminders.js';
import type { DomainServices } from '../domain/deps.js';
import { useLanguage } from '../locales/context.js';
import { maskEmail } from '../schedule/words.js';
import type { Assets } from '../web/assets.js';
import { choice, form, type PageScope, tokenInPath } from '../web/forms.js';
import { Moon, StudioPage } from '../web/layout.js';
import { refuseForeignPosts } from '../web/origins.js';
import { seeOther, sendPrivatePage } from '../web/send-page.js';
import { linkUnknown, refuseBrokenLinks } from './checkout/open-checkout.js';

const choiceSchema = form({ action: choice('stop', 'resume') });

/**
 * The page on which a person stops and resumes reminders. Opening it changes nothing, since mail
 * programs and virus scanners open every link of a mail.
 */
export function registerReminders(app: PageScope, context: DomainServices, assets: Assets): void {
  app.get('/reminders/:token', { schema: tokenInPath }, async (request, reply) => {
    const choice = await open(request.params.token);
    const { studio } = await context.board.read();
    return sendPrivatePage(request, reply, 200, <RemindersPage {...{ assets, choice, studio }} />);
  });

  app.post(
    '/reminders/:token',
    { schema: { ...tokenInPath, ...choiceSchema }, onRequest: refuseForeignPosts(context) },
    async (request, reply) => {
      const { token } = request.params;
      await open(token);
      await changeReminderChoice(context, token, request.body.action);
      return seeOther(reply, `/reminders/${token}`);
    },
  );

  refuseBrokenLinks(app, '/reminders');

  async function open(token: string): Promise<ReminderChoice> {
    const choice = await findReminderChoice(context, token);
    if (choice === null) throw linkUnknown();
    return choice;
  }
}

interface RemindersPageProps {
  assets: Assets;
  choice: ReminderChoice;
  studio: StudioRow;
}

/** Whether the person is reminded of sessions, and the button that changes it. */
function RemindersPage({ assets, choice, studio }: RemindersPageProps): VNode {
  const { email, stopped } = choice;
  const isReminded = email !== null && !stopped;
  const { t, rich } = useLanguage();
  const title = t(isReminded ? 'reminders.title' : 'reminders.title.stopped');
  return (
    <StudioPage studio={studio} assets={assets} title={title} kind="reminders">
      <main class="failure-text">
        <Moon lit={isReminded ? 1 : 0} />
        <h1>{title}</h1>
        {email === null ? (
          <p>{t('reminders.erased')}</p>
        ) : (
          <>
            <p>
              {rich(stopped ? 'reminders.stopped' : 'reminders.on', {
                email: <bdi>{maskEmail(email)}</bdi>,
              })}
            </p>
            <div class="actions">
              <form method="post">
                <button name="action" value={stopped ? 'resume' : 'stop'}>
                  {t(stopped ? 'reminders.resume' : 'reminders.stop')}
                </button>
              </form>
            </div>
          </>
        )}
      </main>
    </StudioPage>
  );
}

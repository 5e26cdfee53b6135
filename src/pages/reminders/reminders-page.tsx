import type { VNode } from 'preact';
import type { ReminderChoice } from '../../repositories/reminders.js';
import type { StudioRow } from '../../repositories/studio.js';
import type { Assets } from '../../web/assets.js';
import { Moon, StudioPage } from '../../web/layout.js';
import { maskEmail } from '../checkout/code-form.js';

export interface RemindersPageProps {
  assets: Assets;
  choice: ReminderChoice;
  studio: StudioRow;
}

/** Whether the person is reminded of sessions, and the button that changes it. */
export function RemindersPage({ assets, choice, studio }: RemindersPageProps): VNode {
  const { email, stopped } = choice;
  const isReminded = email !== null && !stopped;
  const title = isReminded ? 'Reminders of your sessions' : 'No more reminders';
  return (
    <StudioPage studio={studio} assets={assets} title={title} kind="reminders">
      <main class="failure-text">
        <Moon lit={isReminded ? 1 : 0} />
        <h1>{title}</h1>
        {email === null ? (
          <p>Your address and all your other details have been erased, so we cannot remind you.</p>
        ) : (
          <>
            <p>
              {stopped ? 'We no longer remind ' : 'We remind '}
              <bdi>{maskEmail(email)}</bdi> of sessions by e-mail.
              {stopped && ' We still write when a session is confirmed, moved or cancelled.'}
            </p>
            <div class="actions">
              <form method="post">
                <button name="action" value={stopped ? 'resume' : 'stop'}>
                  {stopped ? 'Remind me again' : 'Stop reminders'}
                </button>
              </form>
            </div>
          </>
        )}
      </main>
    </StudioPage>
  );
}

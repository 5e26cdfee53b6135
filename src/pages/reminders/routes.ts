import type { DomainServices } from '../../domain/deps.js';
import { changeReminderChoice, findReminderChoice } from '../../domain/reminders.js';
import type { ReminderChoice } from '../../repositories/reminders.js';
import type { Assets } from '../../web/assets.js';
import { choice, form, type PageScope, tokenInPath } from '../../web/forms.js';
import { refuseForeignPosts } from '../../web/origins.js';
import { seeOther, sendPrivatePage } from '../../web/send-page.js';
import { linkUnknown, refuseBrokenLinks } from '../checkout/open-checkout.js';
import { RemindersPage } from './reminders-page.js';

const choiceSchema = form({ action: choice('stop', 'resume') });

/**
 * The page on which a person stops and resumes reminders. Opening it changes nothing, since mail
 * programs and virus scanners open every link of a mail.
 */
export function registerReminders(app: PageScope, context: DomainServices, assets: Assets): void {
  app.get('/reminders/:token', { schema: tokenInPath }, async (request, reply) => {
    const choice = await open(request.params.token);
    const { studio } = await context.board.read();
    return sendPrivatePage(request, reply, 200, RemindersPage({ assets, choice, studio }));
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

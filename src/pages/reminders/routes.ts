import type { FastifyInstance } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { changeReminderChoice, findReminderChoice } from '../../domain/reminders.js';
import type { ReminderChoice } from '../../repositories/reminders.js';
import type { Assets } from '../../web/assets.js';
import { formRefused } from '../../web/form-fields.js';
import { refuseForeignPosts } from '../../web/origins.js';
import { seeOther, sendPrivatePage } from '../../web/send-page.js';
import { linkUnknown } from '../checkout/open-checkout.js';
import { RemindersPage } from './reminders-page.js';

interface RemindersRoute {
  Params: { token: string };
  Body: { action?: unknown };
}

/**
 * The page on which a person stops and resumes reminders. Opening it changes nothing, since mail
 * programs and virus scanners open every link of a mail.
 */
export function registerReminders(
  app: FastifyInstance,
  context: DomainServices,
  assets: Assets,
): void {
  app.get<RemindersRoute>('/reminders/:token', async (request, reply) => {
    const choice = await open(request.params.token);
    const { studio } = await context.board.read();
    return sendPrivatePage(request, reply, 200, RemindersPage({ assets, choice, studio }));
  });

  app.post<RemindersRoute>(
    '/reminders/:token',
    { onRequest: refuseForeignPosts(context) },
    async (request, reply) => {
      const { token } = request.params;
      await open(token);
      const action = request.body?.action;
      if (action !== 'stop' && action !== 'resume') throw formRefused();
      await changeReminderChoice(context, token, action);
      return seeOther(reply, `/reminders/${token}`);
    },
  );

  // Truncated or extended links get the same page as unknown ones.
  for (const url of ['/reminders', '/reminders/', '/reminders/:token/*']) {
    app.get(url, () => {
      throw linkUnknown();
    });
  }

  async function open(token: string): Promise<ReminderChoice> {
    const choice = await findReminderChoice(context, token);
    if (choice === null) throw linkUnknown();
    return choice;
  }
}

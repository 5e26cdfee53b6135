import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  listStudioWebhooks,
  readWebhookRecord,
  type WebhookRecord,
} from '../../domain/studio-lists.js';
import { disableWebhook, enableWebhook, redeliverWebhooks } from '../../domain/webhook-admin.js';
import { ServiceError } from '../../errors.js';
import {
  button,
  form,
  type PageScope,
  query,
  type RequestWith,
  text,
  uuid,
} from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { linkToWebhook } from '../links.js';
import { type FormatMoment, momentFormat } from '../moment.js';
import { doneMessage, idInPath, type Outcome, type ShowPage, showsDone } from '../pages.js';
import { rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { WebhookPage, webhookTitle } from './webhook-page.js';
import { redeliverDays, WebhooksPage } from './webhooks-page.js';

type WebhookRequest = RequestWith<{ params: { id: string } }>;

/** What has failed in the last days, or one event. */
const redeliverSchema = form({
  days: Type.Unsafe<number>({ type: 'integer', enum: redeliverDays }),
});
const redeliverOneSchema = Type.Union([redeliverSchema.body, Type.Object({ event: uuid })]);

const deliveriesShown = 30;
const dayMs = 86_400_000;

const doneMessages = {
  redelivered: 'It is sent again at once.',
  disabled: 'Disabled. Nothing is sent to it.',
  enabled: 'Enabled. New events are sent to it; what it missed can be sent again.',
} as const;
const nothingToSend = 'Nothing was done: there is nothing to send again.';
const isDisabled = 'Nothing was done: the subscription is disabled. Enable it first.';

/** `/console/webhooks`: subscriptions, the ends of their deliveries, and sending them again. */
export function registerWebhooks(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const listing = { schema: query({ done: text, before: uuid }) };
  scope.get('/console/webhooks', listing, (request, reply) =>
    showAll(request, reply, request.query.before, { done: doneMessage(request, doneMessages) }),
  );

  const ofAll = { schema: redeliverSchema };
  scope.post('/console/webhooks/redeliver', ofAll, async (request, reply) => {
    const failedSince = daysAgo(request.body.days);
    const redelivery = await redeliverWebhooks(context, actorOf(request), null, { failedSince });
    if (redelivery.deliveries > 0) return seeOther(reply, '/console/webhooks?done=redelivered');
    return showAll(request, reply, null, { status: 409, trouble: nothingToSend });
  });

  scope.get(
    '/console/webhooks/:id',
    { schema: { ...idInPath, ...showsDone } },
    async (request, reply) =>
      show(request, reply, await read(request), { done: doneMessage(request, doneMessages) }),
  );

  const ofOne = { schema: { ...idInPath, body: redeliverOneSchema } };
  scope.post('/console/webhooks/:id/redeliver', ofOne, async (request, reply) => {
    const { id } = request.params;
    const { body } = request;
    const selection =
      'event' in body ? { eventIdPrefix: body.event } : { failedSince: daysAgo(body.days) };
    const { deliveries } = await redeliverWebhooks(context, actorOf(request), id, selection);
    if (deliveries > 0) return seeOther(reply, `${linkToWebhook(id)}?done=redelivered`);
    const record = await read(request);
    const trouble = record.subscription.disabled_at === null ? nothingToSend : isDisabled;
    return show(request, reply, record, { status: 409, trouble });
  });

  const pressed = { schema: { ...idInPath, ...button } };
  scope.post('/console/webhooks/:id/disable', pressed, async (request, reply) => {
    const { id } = request.params;
    if ((await disableWebhook(context, actorOf(request), id)) === 'disabled') {
      return seeOther(reply, `${linkToWebhook(id)}?done=disabled`);
    }
    return show(request, reply, await read(request), {
      status: 409,
      trouble: 'Nothing was done: the subscription had been disabled before.',
    });
  });

  scope.post('/console/webhooks/:id/enable', pressed, async (request, reply) => {
    const record = await read(request);
    const outcome = await enableWebhook(context, actorOf(request), record.subscription);
    if (outcome === 'enabled') {
      return seeOther(reply, `${linkToWebhook(record.subscription.id)}?done=enabled`);
    }
    const trouble =
      outcome === 'secret_lost'
        ? 'Nothing was done: its signing secret is lost, so its owner must subscribe again.'
        : 'Nothing was done: the subscription is not disabled.';
    return show(request, reply, record, { status: 409, trouble });
  });

  function daysAgo(days: number): Date {
    return new Date(context.clock.now() - days * dayMs);
  }

  async function read({ params }: WebhookRequest): Promise<WebhookRecord> {
    const record = await readWebhookRecord(context, params.id, deliveriesShown);
    if (record === null) throw new ServiceError('not_found');
    return record;
  }

  async function studioFormat(): Promise<FormatMoment> {
    const { studio } = await context.board.read();
    return momentFormat(studio.timezone, context.clock.now());
  }

  async function showAll(
    request: FastifyRequest,
    reply: FastifyReply,
    before: string | null = null,
    outcome: Outcome,
  ): Promise<FastifyReply> {
    const webhooks = await listStudioWebhooks(context, { limit: rowsPerPage, before });
    return showPage(request, reply, {
      ...outcome,
      section: 'webhooks',
      title: 'Webhooks',
      children: WebhooksPage({ webhooks, before, format: await studioFormat() }),
    });
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    record: WebhookRecord,
    outcome: Outcome,
  ): Promise<FastifyReply> {
    return showPage(request, reply, {
      ...outcome,
      section: 'webhooks',
      title: webhookTitle(record),
      children: WebhookPage({ record, format: await studioFormat() }),
    });
  }
}

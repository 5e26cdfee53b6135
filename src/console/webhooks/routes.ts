import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  listStudioWebhooks,
  readWebhookRecord,
  type WebhookRecord,
} from '../../domain/studio/lists.js';
import {
  disableWebhook,
  enableWebhook,
  redeliverWebhooks,
} from '../../domain/studio/webhook-admin.js';
import { ServiceError } from '../../errors.js';
import { button, form, type PageScope, query, text, uuid } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { idInPath, showsDone } from '../console-page.js';
import { linkToWebhook } from '../links.js';
import { rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { WebhookPage, webhookTitle } from './webhook-page.js';
import { redeliverDays, WebhooksPage } from './webhooks-page.js';

/** The choice: failures of the last days, or one event. */
const redeliverSchema = form({
  days: Type.Unsafe<number>({ type: 'integer', enum: redeliverDays }),
});
const redeliverOneSchema = Type.Union([redeliverSchema.body, Type.Object({ event: uuid })]);

const deliveriesShown = 30;
const dayMs = 86_400_000;

const messages = {
  redelivered: 'It is sent again at once.',
  disabled: 'Disabled. Nothing is sent to it.',
  enabled: 'Enabled. New events are sent to it; what it missed can be sent again.',
};

const refusals = {
  nothing: 'there is nothing to send again.',
  disabled: 'the subscription is disabled. Enable it first.',
  disabled_before: 'the subscription had been disabled before.',
  secret_lost: 'its signing secret is lost, so its owner must subscribe again.',
  not_disabled: 'the subscription is not disabled.',
};

const path = '/console/webhooks';

/** `/console/webhooks`: subscriptions, the ends of their deliveries, and sending them again. */
export function registerWebhooks(scope: PageScope, context: DomainServices): void {
  scope.get(path, { schema: query({ done: text, before: uuid }) }, ({ query }, reply) =>
    showAll(reply, query.before),
  );

  scope.post(`${path}/redeliver`, { schema: redeliverSchema }, async (request, reply) => {
    const failedSince = daysAgo(request.body.days);
    const redelivery = await redeliverWebhooks(context, actorOf(request), null, { failedSince });
    if (redelivery.deliveries > 0) return seeOther(reply, `${path}?done=redelivered`);
    return showAll(reply, null, 'nothing');
  });

  const ofOne = { schema: { ...idInPath, ...showsDone } };
  scope.get(`${path}/:id`, ofOne, async ({ params }, reply) => show(reply, await read(params.id)));

  const redelivering = { schema: { ...idInPath, body: redeliverOneSchema } };
  scope.post(`${path}/:id/redeliver`, redelivering, async (request, reply) => {
    const { id } = request.params;
    const { body } = request;
    const selection =
      'event' in body ? { eventIdPrefix: body.event } : { failedSince: daysAgo(body.days) };
    const { deliveries } = await redeliverWebhooks(context, actorOf(request), id, selection);
    if (deliveries > 0) return seeOther(reply, `${linkToWebhook(id)}?done=redelivered`);
    const record = await read(id);
    return show(reply, record, record.subscription.disabled_at === null ? 'nothing' : 'disabled');
  });

  const pressed = { schema: { ...idInPath, ...button } };
  scope.post(`${path}/:id/disable`, pressed, async (request, reply) => {
    const { id } = request.params;
    const outcome = await disableWebhook(context, actorOf(request), id);
    if (outcome === 'disabled') return seeOther(reply, `${linkToWebhook(id)}?done=disabled`);
    return show(reply, await read(id), 'disabled_before');
  });

  scope.post(`${path}/:id/enable`, pressed, async (request, reply) => {
    const { id } = request.params;
    const record = await read(id);
    const outcome = await enableWebhook(context, actorOf(request), record.subscription);
    if (outcome === 'enabled') return seeOther(reply, `${linkToWebhook(id)}?done=enabled`);
    return show(reply, record, outcome === 'secret_lost' ? outcome : 'not_disabled');
  });

  function daysAgo(days: number): Date {
    return new Date(context.clock.now() - days * dayMs);
  }

  async function read(id: string): Promise<WebhookRecord> {
    const record = await readWebhookRecord(context, id, deliveriesShown);
    if (record === null) throw new ServiceError('not_found');
    return record;
  }

  async function showAll(
    reply: FastifyReply,
    before: string | null = null,
    refusal?: Refusal,
  ): Promise<FastifyReply> {
    const webhooks = await listStudioWebhooks(context, { limit: rowsPerPage, before });
    return reply.showPage({
      section: 'webhooks',
      title: 'Webhooks',
      messages,
      trouble: troubleOf(refusal),
      children: WebhooksPage({ webhooks, before }),
    });
  }

  function show(
    reply: FastifyReply,
    record: WebhookRecord,
    refusal?: Refusal,
  ): Promise<FastifyReply> {
    return reply.showPage({
      section: 'webhooks',
      title: webhookTitle(record),
      messages,
      trouble: troubleOf(refusal),
      children: WebhookPage({ record }),
    });
  }
}

type Refusal = keyof typeof refusals;

function troubleOf(refusal?: Refusal): string | undefined {
  return refusal && `Nothing was done: ${refusals[refusal]}`;
}

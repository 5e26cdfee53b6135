import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  listStudioWebhooks,
  readWebhookRecord,
  type WebhookRecord,
} from '../../domain/studio-lists.js';
import { disableWebhook, enableWebhook, redeliverWebhooks } from '../../domain/webhook-admin.js';
import { ServiceError } from '../../errors.js';
import { type Fields, formRefused } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { linkToWebhook } from '../links.js';
import { type FormatMoment, momentFormat } from '../moment.js';
import { doneMessage, type Outcome, type ShowPage, withId } from '../pages.js';
import { readBeforeId, rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { WebhookPage, webhookTitle } from './webhook-page.js';
import { redeliverDays, WebhooksPage } from './webhooks-page.js';

interface WebhookRoute {
  Params: { id: string };
  Body: Fields | undefined;
}

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
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get('/console/webhooks', (request, reply) =>
    showAll(request, reply, { done: doneMessage(request, doneMessages) }),
  );

  scope.post<{ Body: Fields | undefined }>(
    '/console/webhooks/redeliver',
    async (request, reply) => {
      const failedSince = readFailedSince(request.body);
      const redelivery = await redeliverWebhooks(context, actorOf(request), null, { failedSince });
      if (redelivery.deliveries > 0) return seeOther(reply, '/console/webhooks?done=redelivered');
      return showAll(request, reply, { status: 409, trouble: nothingToSend });
    },
  );

  scope.get<WebhookRoute>('/console/webhooks/:id', withId, async (request, reply) =>
    show(request, reply, await read(request), { done: doneMessage(request, doneMessages) }),
  );

  scope.post<WebhookRoute>('/console/webhooks/:id/redeliver', withId, async (request, reply) => {
    const { id } = request.params;
    const event = request.body?.['event'];
    const selection =
      event === undefined
        ? { failedSince: readFailedSince(request.body) }
        : { eventIdPrefix: readEventId(event) };
    const { deliveries } = await redeliverWebhooks(context, actorOf(request), id, selection);
    if (deliveries > 0) return seeOther(reply, `${linkToWebhook(id)}?done=redelivered`);
    const record = await read(request);
    const trouble = record.subscription.disabled_at === null ? nothingToSend : isDisabled;
    return show(request, reply, record, { status: 409, trouble });
  });

  scope.post<WebhookRoute>('/console/webhooks/:id/disable', withId, async (request, reply) => {
    const { id } = request.params;
    if (await disableWebhook(context, actorOf(request), id)) {
      return seeOther(reply, `${linkToWebhook(id)}?done=disabled`);
    }
    return show(request, reply, await read(request), {
      status: 409,
      trouble: 'Nothing was done: the subscription had been disabled before.',
    });
  });

  scope.post<WebhookRoute>('/console/webhooks/:id/enable', withId, async (request, reply) => {
    const { id } = request.params;
    if (await enableWebhook(context, actorOf(request), id)) {
      return seeOther(reply, `${linkToWebhook(id)}?done=enabled`);
    }
    const record = await read(request);
    const trouble =
      record.subscription.disabled_reason === 'secret_lost'
        ? 'Nothing was done: its signing secret is lost, so its owner must subscribe again.'
        : 'Nothing was done: the subscription is not disabled.';
    return show(request, reply, record, { status: 409, trouble });
  });

  /** Throws `invalid_request` for anything but a choice of the form. */
  function readFailedSince(fields: Fields = {}): Date {
    const days = redeliverDays.find((choice) => String(choice) === fields['days']);
    if (days === undefined) throw formRefused();
    return new Date(context.clock.now() - days * dayMs);
  }

  async function read({ params }: FastifyRequest<WebhookRoute>): Promise<WebhookRecord> {
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
    outcome: Outcome,
  ): Promise<FastifyReply> {
    const before = readBeforeId((request.query as Fields)['before']);
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

/** Throws `invalid_request` for anything but an id. */
function readEventId(field: unknown): string {
  const id = readBeforeId(field);
  if (id === null) throw formRefused();
  return id;
}

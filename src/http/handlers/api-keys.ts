import { createApiKey } from '../../access/api-keys.js';
import { writingBudgets } from '../../access/budgets.js';
import { createdApiKeyView } from '../../views/api-key.js';
import type { HandlerFactory } from '../handler.js';

export const createAgentKey: HandlerFactory<'createAgentKey'> =
  (context) => async (request, reply) => {
    await request.caller.meter.chargeTo(writingBudgets.createAgentKey);
    const data = createdApiKeyView(await createApiKey(context, request.body), context.config);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

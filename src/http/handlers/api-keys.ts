import { createApiKey } from '../../access/api-keys.js';
import { writingBudgets } from '../../access/budgets.js';
import { createdApiKeyView } from '../../views/api-key.js';
import type { HandlerFactory } from '../handler.js';

export const createAgentKey: HandlerFactory<'createAgentKey'> =
  (context) => async (request, reply) => {
    await request.caller.meter.chargeTo(writingBudgets.createAgentKey);
    const created = await createApiKey(context, request.caller, request.body);
    const data = createdApiKeyView(created, context.config);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

import { createAgentKey as create } from '../../access/api-keys.js';
import { writingBudgets } from '../../access/budgets.js';
import type { HandlerFactory } from '../handler.js';

export const createAgentKey: HandlerFactory<'createAgentKey'> =
  (context) => async (request, reply) => {
    await request.caller.meter.chargeTo(writingBudgets.createAgentKey);
    const data = await create(context, request.body);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

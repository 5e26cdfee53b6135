import createClient from 'openapi-fetch';
import type { Client } from '../agent.js';
import { operationOf, readContract } from '../discovery.js';
import { agentOverRest } from '../rest.js';

/** `openapi-fetch`, with the routes of the contract. */
export const openapiFetch: Client = async (baseUrl) => {
  const contract = await readContract(baseUrl);
  const client = createClient({ baseUrl: contract.servers[0]?.url ?? '' });
  return agentOverRest(async (operationId, { path, query, headers, body }) => {
    const { method, path: route } = operationOf(contract, operationId);
    const init = { params: { path, query, header: headers }, body };
    const answer = await client.request(method as 'get', route as never, init as never);
    return { response: answer.response, body: answer.data ?? answer.error };
  });
};

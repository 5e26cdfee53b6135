import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { importTool, type ClientGenerator } from '../../../test/support/tools.js';
import type { Client } from '../agent.js';
import { readContract, type Contract } from '../discovery.js';
import { agentOverRest, type Values } from '../rest.js';

/** The functions of a generated client, by `operationId`. */
type Functions = Record<
  string,
  (values: Values) => Promise<{ response: Response; data?: unknown; error?: unknown }>
>;

const known = new Map<string, Promise<Functions>>();

/**
 * A client that `@hey-api/openapi-ts` generates from the contract that the service serves: anew for
 * each contract.
 */
export const generated: Client = async (baseUrl) => {
  const contract = await readContract(baseUrl);
  const text = JSON.stringify(contract);
  const generating = known.get(text) ?? generate(contract);
  known.set(text, generating);
  const functions = await generating;
  return agentOverRest(async (operationId, values) => {
    const call = functions[operationId];
    if (call === undefined) throw new Error(`the generated client has no ${operationId}`);
    const { response, data, error } = await call(values);
    return { response, body: data ?? error };
  });
};

async function generate(contract: Contract): Promise<Functions> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  try {
    const path = join(folder, 'api');
    const logs = { level: 'silent', file: false } as const;
    const { createClient } = await importTool<ClientGenerator>('@hey-api/openapi-ts');
    await createClient({ input: { ...contract }, output: { path }, logs });
    const outfile = join(folder, 'api.mjs');
    await build({ entryPoints: [join(path, 'index.ts')], bundle: true, format: 'esm', outfile });
    return (await import(pathToFileURL(outfile).href)) as Functions;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

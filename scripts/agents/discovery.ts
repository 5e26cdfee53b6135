/** Reads an address with a client's own means. */
type Read = (url: string, method?: 'GET' | 'HEAD') => Promise<Response>;

export interface Contract {
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId?: string }>>;
}

/** The address of the contract: the start page links it as `service-desc` (RFC 8288, RFC 8631). */
async function findContract(baseUrl: string, read: Read): Promise<string> {
  const { headers } = await read(baseUrl, 'HEAD');
  const links = headers.get('link') ?? '';
  const target = /<([^>]+)>[^,]*\brel="?service-desc\b/u.exec(links)?.[1];
  if (target === undefined) throw new Error('the start page does not link a service-desc');
  return new URL(target, baseUrl).href;
}

/** The contract, found from the base address. */
export async function readContract(baseUrl: string, read: Read = readByFetch): Promise<Contract> {
  const response = await read(await findContract(baseUrl, read));
  return (await response.json()) as Contract;
}

const readByFetch: Read = (url, method = 'GET') => fetch(url, { method });

/** The method and address of an operation. */
export function operationOf(
  { servers, paths }: Contract,
  operationId: string,
): { method: string; path: string; serverUrl: string } {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId === operationId) {
        return { method, path, serverUrl: servers[0]?.url ?? '' };
      }
    }
  }
  throw new Error(`the contract has no operation ${operationId}`);
}

const cardType = 'application/mcp-server-card+json';

/** The address of the connector: the catalog (AI Catalog 1.0) names its server card (SEP-2127). */
export async function findConnector(baseUrl: string): Promise<string> {
  const catalog = await readJson<{ entries: { type: string; url: string }[] }>(
    new URL('/.well-known/ai-catalog.json', baseUrl).href,
  );
  const entry = catalog.entries.find(({ type }) => type === cardType);
  if (entry === undefined) throw new Error('the catalog names no server card');
  const card = await readJson<{ remotes: { type: string; url: string }[] }>(entry.url);
  const remote = card.remotes.find(({ type }) => type === 'streamable-http');
  if (remote === undefined) throw new Error('the server card names no connector over HTTP');
  return remote.url;
}

async function readJson<Json>(url: string): Promise<Json> {
  return (await (await fetch(url)).json()) as Json;
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** What a page of the website answers with. */
export interface WebsitePage {
  body: string;
  headers?: Record<string, string>;
}

export interface Website {
  /** For browsers another site than the service, whose host is 127.0.0.1. */
  origin: string;
  /** The same server at the service's host: the service's site, and an origin of its own. */
  originAtService: string;
  /** Sets what a path answers with. All others answer 404. */
  show(path: string, page: (request: IncomingMessage) => WebsitePage): void;
}

/** A website of somebody else's, on a free port of loopback. */
export async function startWebsite(t: Test): Promise<Website> {
  const pages = new Map<string, (request: IncomingMessage) => WebsitePage>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    const { body, headers = {} } = page?.(request) ?? { body: '' };
    const type = { 'content-type': 'text/html; charset=utf-8' };
    response.writeHead(page === undefined ? 404 : 200, { ...type, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    originAtService: `http://127.0.0.1:${port}`,
    show: (path, page) => pages.set(path, page),
  };
}

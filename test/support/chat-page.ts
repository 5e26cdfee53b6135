/**
 * The page of a chat, bundled for the browser by `chat.ts`: a host of MCP Apps with the SDK's own
 * bridge, and a client of the connector. It shows the view in a sandbox of another origin.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  PostMessageTransport,
  type McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';

export interface ChatOptions {
  /** Of the connector. */
  endpoint: string;
  sandboxUrl: string;
  capabilities: Record<string, object>;
  /** The part of a host's context that the view reads. */
  context: {
    theme?: 'light' | 'dark';
    timeZone?: string;
    styles?: { variables: Record<string, string> };
  };
  /** The tool that the model calls; without one, the test sends what the view is shown for. */
  tool?: string;
  args: Record<string, unknown>;
  /** What `ui/open-link` answers. */
  linkAnswer: 'opened' | 'isError' | 'error';
}

export interface ChatPage {
  /** All messages of the view, in order. */
  sent: Record<string, unknown>[];
  opened: string[];
  contexts: unknown[];
  bridge: Pick<AppBridge, 'sendToolInput'> & {
    sendToolResult(result: object): Promise<void>;
    sendToolCancelled(params: object): Promise<void>;
    sendHostContextChange(context: object): Promise<void>;
    teardownResource(params: object): Promise<object>;
  };
  start(options: ChatOptions): Promise<void>;
}

const chat: Partial<ChatPage> = { sent: [], opened: [], contexts: [], start };
Object.assign(window, { chat });

async function start(options: ChatOptions): Promise<void> {
  const { capabilities, linkAnswer } = options;
  const hostContext = options.context as McpUiHostContext;
  const hostInfo = { name: 'test-chat', version: '1.0.0' };
  const client = new Client(hostInfo);
  await client.connect(new StreamableHTTPClientTransport(new URL(options.endpoint)));
  const { contents } = await client.readResource({ uri: 'ui://studio/slots' });
  const [resource] = contents;
  const html = resource !== undefined && 'text' in resource ? resource.text : '';

  const frame = document.querySelector('iframe')!;
  const sandbox = frame.contentWindow!;
  addEventListener('message', ({ source, data }) => {
    const message = data as Record<string, unknown>;
    const isOfSandbox = String(message['method']).startsWith('ui/notifications/sandbox-');
    if (source === sandbox && !isOfSandbox) chat.sent?.push(message);
  });
  const served = capabilities['serverTools'] === undefined ? null : client;
  const bridge = new AppBridge(served, hostInfo, capabilities, { hostContext });
  Object.assign(chat, { bridge });
  bridge.onopenlink = async ({ url }) => {
    chat.opened?.push(url);
    if (linkAnswer === 'error') throw new Error('Link opening denied by user');
    return { isError: linkAnswer === 'isError' };
  };
  bridge.onupdatemodelcontext = async (context) => {
    chat.contexts?.push(context);
    return {};
  };
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  });
  bridge.addEventListener('sandboxready', () => void bridge.sendSandboxResourceReady({ html }));
  const initialized = new Promise((resolve) => bridge.addEventListener('initialized', resolve));
  await bridge.connect(new PostMessageTransport(sandbox, sandbox));
  frame.src = options.sandboxUrl;
  await initialized;
  if (options.tool === undefined) return;
  await bridge.sendToolInput({ arguments: options.args });
  const result = await client.callTool({ name: options.tool, arguments: options.args });
  await bridge.sendToolResult(result);
}

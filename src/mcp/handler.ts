import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from '../../generated/schemas.js';
import type { Config } from '../config.js';
import {
  legacyProtocolVersions,
  modernProtocolVersions,
  supportedProtocolVersions,
} from '../platform/protocol-versions.js';
import { connectorPath, type Connector } from './connector.js';
import { jsonRpcErrors, jsonRpcFailure } from './json-rpc.js';
import { createLegacyProtocol } from './legacy-protocol.js';
import { createModernProtocol } from './modern-protocol.js';

const jsonType = 'application/json; charset=utf-8';

/** An answer as it leaves; a body that is there is sent as it is. */
interface Answer {
  status: number;
  type: string;
  body?: string;
}

/**
 * One JSON-RPC message per request. It charges itself: a call of a tool is charged where it is
 * refused as a result, everything else here, where it is refused with 429.
 */
export function createCallMcp(
  connector: Connector,
  { publicBaseUrl }: Pick<Config, 'publicBaseUrl'>,
) {
  const legacyProtocol = createLegacyProtocol(connector);
  const modernProtocol = createModernProtocol(connector, `${publicBaseUrl}${connectorPath}`);

  async function answerTo(message: JsonRpcMessage, request: FastifyRequest): Promise<Answer> {
    if (!isRequest(message)) return accepted;
    const protocolVersion = request.headers['mcp-protocol-version'];
    if (isModern(message, protocolVersion))
      return modernProtocol(message, request.headers, request);
    if (isUnknown(message, protocolVersion))
      return refuseProtocolVersion(message, String(protocolVersion));
    const body = await (await legacyProtocol)(message, request);
    return { status: 200, type: jsonType, body };
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { meter } = request.caller;
    const message = request.validationError ? null : (request.body as JsonRpcMessage);
    if (message === null || !isToolCall(message)) await meter.chargeTo('reads');
    const answer =
      message === null ? refuseMessage(request.body) : await answerTo(message, request);
    // A call that reached no tool has not been charged yet.
    if (meter.charge === null) await meter.chargeTo('reads');
    reply.code(answer.status).header('cache-control', 'no-store');
    return answer.body === undefined ? reply.send() : reply.type(answer.type).send(answer.body);
  };
}

/** Notifications and responses have nobody to go to: no request outlives its own answer. */
const accepted: Answer = { status: 202, type: jsonType };

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message;
}

function isToolCall(message: JsonRpcMessage): boolean {
  return isRequest(message) && message.method === 'tools/call';
}

/** A request's own `_meta` says which era it is of, or its header does where it names a revision. */
function isModern(
  { params }: JsonRpcRequest,
  protocolVersion: string | string[] | undefined,
): boolean {
  const meta = params?.['_meta'];
  if (typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta) return true;
  return modernProtocolVersions.includes(String(protocolVersion));
}

/** An `initialize` names its revision in its params, and the answer the one that is served. */
function isUnknown(
  { method }: JsonRpcRequest,
  protocolVersion: string | string[] | undefined,
): boolean {
  if (protocolVersion === undefined || method === 'initialize') return false;
  return !legacyProtocolVersions.includes(String(protocolVersion));
}

function refuseProtocolVersion({ id }: JsonRpcRequest, requested: string): Answer {
  const supported = [...supportedProtocolVersions];
  const sentence = `This protocol revision is not served. Served are: ${supported.join(', ')}.`;
  const { unsupportedProtocolVersion } = jsonRpcErrors;
  return json(
    400,
    jsonRpcFailure(id, unsupportedProtocolVersion, sentence, { supported, requested }),
  );
}

function refuseMessage(body: unknown): Answer {
  const { id } = (body ?? {}) as { id?: unknown };
  const readable = typeof id === 'number' || isWholeText(id) ? id : null;
  const sentence = Array.isArray(body)
    ? 'Batches are not served. Send each message as a request of its own.'
    : 'The body is not a JSON-RPC 2.0 message: an object with jsonrpc "2.0", an id, a method and, where it has any, params by name.';
  return json(400, jsonRpcFailure(readable, jsonRpcErrors.invalidRequest, sentence));
}

/** Text that an id may be: without what no answer can carry. */
function isWholeText(value: unknown): value is string {
  return typeof value === 'string' && !/[\0\p{Cs}]/u.test(value);
}

function json(status: number, response: JsonRpcResponse): Answer {
  return { status, type: jsonType, body: JSON.stringify(response) };
}

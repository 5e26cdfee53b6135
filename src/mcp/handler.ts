import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonRpcMessage, JsonRpcRequest, JsonRpcResponse } from '../../generated/schemas.js';
import { personHashesOf } from '../access/caller.js';
import type { Config } from '../config/config.js';
import { lazily } from '../platform/concurrency.js';
import type { Keyring } from '../secrets/keyring.js';
import { hangUpOf } from '../web/hang-up.js';
import {
  legacyProtocolVersions,
  modernProtocolVersions,
  protocolVersionKey,
  supportedProtocolVersions,
} from '../web/protocol-versions.js';
import { connectorPath, type Connector } from './connector.js';
import { jsonRpcErrors, jsonRpcFailure, withoutNulls, type RpcRequest } from './json-rpc.js';

/** The member of a tool call's `_meta` in which hosted assistants name the person. */
const subjectKey = 'openai/subject';

const jsonType = 'application/json; charset=utf-8';

/** A response whose body, if any, is already serialized. */
interface McpResponse {
  status: number;
  type: string;
  body?: string;
}

/**
 * Handles one JSON-RPC message per request. A tool call is charged when it runs, so that a used-up
 * budget becomes a tool result; every other message is charged here and refused with 429.
 */
export function createCallMcp(
  connector: Connector,
  { publicBaseUrl }: Pick<Config, 'publicBaseUrl'>,
  keyring: Keyring,
) {
  const legacyProtocol = lazily(async () => {
    const { createLegacyProtocol } = await import('./legacy-protocol.js');
    return createLegacyProtocol(connector);
  });
  const modernProtocol = lazily(async () => {
    const { createModernProtocol } = await import('./modern-protocol.js');
    return createModernProtocol(connector, `${publicBaseUrl}${connectorPath}`);
  });

  async function respondTo(
    received: JsonRpcMessage,
    request: FastifyRequest,
    hangUp: () => AbortSignal,
  ): Promise<McpResponse> {
    if (!isRequest(received)) return accepted;
    const message = withoutNulls(received);
    const protocolVersion = request.headers['mcp-protocol-version'];
    const { caller, id, log, headers } = request;
    const httpRequest = { caller, id, log, hangUp };
    if (isModern(message, protocolVersion))
      return (await modernProtocol())(message, headers, httpRequest);
    if (isUnknown(message, protocolVersion))
      return refuseProtocolVersion(message, String(protocolVersion));
    const body = await (await legacyProtocol())(message, httpRequest);
    return { status: 200, type: jsonType, body };
  }

  /** Identifies the platform's person, before the call is charged. */
  function identifyPerson({ params }: JsonRpcRequest, request: FastifyRequest): void {
    if (request.caller.platform === null) return;
    const meta = params?.['_meta'] as Record<string, unknown> | null | undefined;
    const personHashes = personHashesOf(keyring, request.caller, meta?.[subjectKey]);
    request.caller = { ...request.caller, personHashes };
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { meter } = request.caller;
    const message = request.validationError ? null : (request.body as JsonRpcMessage);
    if (message === null || !isToolCall(message)) await meter.chargeTo('reads');
    else identifyPerson(message, request);
    const response =
      message === null
        ? refuseMessage(request.body)
        : await respondTo(message, request, () => hangUpOf(reply));
    // A call that did not reach a tool has not been charged yet.
    if (meter.charge === null) await meter.chargeTo('reads');
    reply.code(response.status).header('cache-control', 'no-store');
    return response.body === undefined
      ? reply.send()
      : reply.type(response.type).send(response.body);
  };
}

/** Notifications and responses are accepted and ignored: there are no sessions to route them to. */
const accepted: McpResponse = { status: 202, type: jsonType };

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message;
}

function isToolCall(message: JsonRpcMessage): message is JsonRpcRequest {
  return isRequest(message) && message.method === 'tools/call';
}

/** Revision 2026-07-28 is recognized by the request's `_meta` or by its protocol version header. */
function isModern({ params }: RpcRequest, protocolVersion: string | string[] | undefined): boolean {
  const meta = params?.['_meta'];
  if (typeof meta === 'object' && meta !== null && protocolVersionKey in meta) return true;
  return modernProtocolVersions.includes(String(protocolVersion));
}

/** `initialize` negotiates the revision in its params, so its header is not checked. */
function isUnknown(
  { method }: RpcRequest,
  protocolVersion: string | string[] | undefined,
): boolean {
  if (protocolVersion === undefined || method === 'initialize') return false;
  return !legacyProtocolVersions.includes(String(protocolVersion));
}

function refuseProtocolVersion({ id }: RpcRequest, requested: string): McpResponse {
  const supported = [...supportedProtocolVersions];
  const sentence = `This protocol revision is not served. Served are: ${supported.join(', ')}.`;
  const { unsupportedProtocolVersion } = jsonRpcErrors;
  return json(
    400,
    jsonRpcFailure(id, unsupportedProtocolVersion, sentence, { supported, requested }),
  );
}

function refuseMessage(body: unknown): McpResponse {
  const { id } = (body ?? {}) as { id?: unknown };
  const readable = typeof id === 'number' || isSafeString(id) ? id : null;
  const sentence = Array.isArray(body)
    ? 'Batches are not served. Send each message as a request of its own.'
    : 'The body is not a JSON-RPC 2.0 message: an object with jsonrpc "2.0", an id, a method and, where it has any, params by name.';
  return json(400, jsonRpcFailure(readable, jsonRpcErrors.invalidRequest, sentence));
}

/** A string without U+0000 and lone surrogates, which no response may contain. */
function isSafeString(value: unknown): value is string {
  return typeof value === 'string' && !/[\0\p{Cs}]/u.test(value);
}

function json(status: number, response: JsonRpcResponse): McpResponse {
  return { status, type: jsonType, body: JSON.stringify(response) };
}

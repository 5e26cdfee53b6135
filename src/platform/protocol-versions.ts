import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

/** MCP protocol versions whose sessions begin with `initialize`, newest first. */
export const legacyProtocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

/** MCP protocol versions that each request names for itself. */
export const modernProtocolVersions: readonly string[] = ['2026-07-28'];

/** Every supported MCP protocol version, newest first. */
export const supportedProtocolVersions: readonly string[] = [
  ...modernProtocolVersions,
  ...legacyProtocolVersions,
];

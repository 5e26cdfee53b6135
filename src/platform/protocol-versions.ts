import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

/** The revisions of the Model Context Protocol that open with `initialize`, newest first. */
export const legacyProtocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

/** Those in which each request names its own. */
export const modernProtocolVersions: readonly string[] = ['2026-07-28'];

/** Every revision that the connector speaks, newest first. */
export const supportedProtocolVersions: readonly string[] = [
  ...modernProtocolVersions,
  ...legacyProtocolVersions,
];

// These are not read from the SDKs, which a start does not load; test/mcp/versions.test.ts compares.

/** MCP protocol versions whose sessions begin with `initialize`, newest first. */
export const legacyProtocolVersions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** MCP protocol versions that each request names for itself. */
export const modernProtocolVersions: readonly string[] = ['2026-07-28'];

/** Every supported MCP protocol version, newest first. */
export const supportedProtocolVersions: readonly string[] = [
  ...modernProtocolVersions,
  ...legacyProtocolVersions,
];

/** The member of a request's `_meta` that names its modern protocol version. */
export const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

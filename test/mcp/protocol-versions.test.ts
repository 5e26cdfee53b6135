import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import t from 'tap';
import {
  legacyProtocolVersions,
  protocolVersionKey,
} from '../../src/platform/protocol-versions.js';

t.test('the protocol versions are those of the SDKs', async (t) => {
  t.same(legacyProtocolVersions, SUPPORTED_PROTOCOL_VERSIONS);
  t.equal(protocolVersionKey, PROTOCOL_VERSION_META_KEY);
});

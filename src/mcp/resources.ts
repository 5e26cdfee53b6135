import { slotsViewHtml } from './view/slots-view.js';

/** The view of open times and holds that hosts show in chats (MCP Apps, SEP-1865). */
export const slotsViewUri = 'ui://studio/slots';

/** A resource as `resources/list` describes it. */
export interface ResourceDefinition {
  [member: string]: unknown;
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** An item of the contents that `resources/read` returns. */
export interface ResourceContents {
  [member: string]: unknown;
  uri: string;
  mimeType: string;
  text: string;
}

export interface Resource {
  definition: ResourceDefinition;
  contents: ResourceContents;
}

/** The resources of the connector, in the order in which it lists them. */
export function createResources(): Resource[] {
  const mimeType = 'text/html;profile=mcp-app';
  // No `csp` member: hosts then allow no connections and nothing from other origins.
  const _meta = { ui: { prefersBorder: true } };
  return [
    {
      definition: {
        uri: slotsViewUri,
        name: 'slots',
        title: 'Open times and hold',
        description:
          'The open session times, a form that holds one, and the way to the checkout page.',
        mimeType,
        _meta,
      },
      contents: { uri: slotsViewUri, mimeType, text: slotsViewHtml(), _meta },
    },
  ];
}

import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.js';
import { browserBundle } from '../web/assets.js';

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
export function createResources({ publicBaseUrl }: Pick<Config, 'publicBaseUrl'>): Resource[] {
  const mimeType = 'text/html;profile=mcp-app';
  // ChatGPT requires an origin of the view's own, and gets the service's under ChatGPT's own name: the
  // standard's `ui.domain` has another form at each host, and Claude hides views with another domain than
  // its own.
  const _meta = {
    ui: { prefersBorder: true, csp: { connectDomains: [], resourceDomains: [] } },
    'openai/widgetDomain': publicBaseUrl,
  };
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
      contents: {
        uri: slotsViewUri,
        mimeType,
        text: readFileSync(browserBundle('slots-view.html'), 'utf8'),
        _meta,
      },
    },
  ];
}

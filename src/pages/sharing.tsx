import type { VNode } from 'preact';
import { jsonForScript, structuredData, type StructuredDataProps } from './structured-data.js';

export interface SharingProps extends StructuredDataProps {
  /** The page's path, under which it is shared. */
  path: string;
}

/**
 * What search engines, chats and assistants read of a page: Open Graph (ogp.me) and JSON-LD. The
 * content security policy allows the script element, as browsers run no data block.
 */
export function Sharing(props: SharingProps & { title: string; description: string }): VNode {
  const { title, description, path, studio, publicBaseUrl } = props;
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={`${publicBaseUrl}${path}`} />
      <meta property="og:site_name" content={studio.name} />
      <meta property="og:locale" content="en_US" />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: jsonForScript(structuredData(props)) }}
      />
    </>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import type { StudioRow } from '../../repositories/studio.js';
import type { Assets } from '../../web/assets.js';
import { StudioPage } from '../../web/layout.js';
import type { SharingProps } from '../../web/sharing.js';

export interface BookLayoutProps {
  assets: Assets;
  studio: StudioRow;
  title: string;
  /** For the page that people share and search engines show. */
  sharing?: SharingProps | undefined;
  children: ComponentChildren;
}

/**
 * The document of the pages under `/book`. They may be framed, but most pages that they lead to may not:
 * links and forms open in the whole window unless they name another target.
 */
export function BookLayout({ assets, studio, title, sharing, children }: BookLayoutProps): VNode {
  return (
    <StudioPage
      studio={studio}
      assets={assets}
      title={title}
      kind="book"
      script="book.js"
      target="_top"
      {...(sharing !== undefined && {
        indexed: true,
        sharing,
        description: `Choose an open time at ${studio.name}, and book it. Booking is free.`,
      })}
    >
      {children}
    </StudioPage>
  );
}

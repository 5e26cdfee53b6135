import type { VNode } from 'preact';
import type { StudioRow } from '../repositories/studio.js';
import { EmailLink, PhoneLink } from '../web/layout.js';

export function AskStudio({ studio }: { studio: StudioRow }): VNode {
  return (
    <>
      If you need another time, write to <EmailLink studio={studio} /> or call{' '}
      <PhoneLink studio={studio} />.
    </>
  );
}

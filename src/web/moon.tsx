import type { VNode } from 'preact';

/**
 * A slot drawn as a moon: new while it is open, full once it is taken; for a hold it wanes with the
 * remaining time. `lit` is the illuminated part, from 0 to 1.
 */
export function Moon({ lit }: { lit: number }): VNode {
  return (
    <svg class="moon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path class="lit" d={litPath(lit)} />
      <circle class="rim" cx="12" cy="12" r="11" />
    </svg>
  );
}

/** The outline of the lit part: the left limb, then back along the terminator. */
function litPath(lit: number): string {
  const width = (11 * Math.abs(2 * lit - 1)).toFixed(2);
  return `M12 1A11 11 0 0 0 12 23A${width} 11 0 0 ${lit > 0.5 ? 0 : 1} 12 1Z`;
}

import type { VNode } from 'preact';

/**
 * A session as a moon: new while it is open, full once it is taken, and in between it wanes with
 * the time that a hold has left. `lit` is the part that shines, from 0 to 1.
 */
export function Moon({ lit }: { lit: number }): VNode {
  return (
    <svg class="moon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path class="lit" d={litPath(lit)} />
      <circle class="rim" cx="12" cy="12" r="11" />
    </svg>
  );
}

/** The limb on the left, from pole to pole, and back along the edge of the shadow. */
function litPath(lit: number): string {
  const width = (11 * Math.abs(2 * lit - 1)).toFixed(2);
  return `M12 1A11 11 0 0 0 12 23A${width} 11 0 0 ${lit > 0.5 ? 0 : 1} 12 1Z`;
}

/** Shows a remaining time as digits and as a waning moon. */

/**
 * Formats a duration as `14:05`.
 * @param {number} leftMs
 */
export function minutesAndSeconds(leftMs) {
  const seconds = Math.ceil(Math.max(0, leftMs) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Draws the moon in `root` with this part of it lit, from 0 to 1, as src/web/moon.tsx does.
 * @param {ParentNode} root
 * @param {number} part
 */
export function lightMoon(root, part) {
  const lit = Math.min(1, Math.max(0, part));
  const width = (11 * Math.abs(2 * lit - 1)).toFixed(2);
  const shadow = `A${width} 11 0 0 ${lit > 0.5 ? 0 : 1} 12 1Z`;
  root.querySelector('.moon .lit')?.setAttribute('d', `M12 1A11 11 0 0 0 12 23${shadow}`);
}

import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/schema.js';
import { PostForm } from '../form.js';
import { linkToClosure } from './links.js';
import { closureDates } from './words.js';

/** Opens the dates of a closure again. */
export function RemoveClosure({ closure }: { closure: ClosureRow }): VNode {
  return (
    <details>
      <summary class="button quiet small">
        Open again<span class="visually-hidden"> {closureDates(closure)}</span>…
      </summary>
      <PostForm action={`${linkToClosure(closure.id)}/remove`}>
        <p>People can book these sessions again. Bookings that were cancelled stay cancelled.</p>
        <button class="small">Remove the closure</button>
      </PostForm>
    </details>
  );
}

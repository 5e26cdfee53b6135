/**
 * Preloaded into a process of the service: on SIGWINCH it goes wrong there as TROUBLE says, and its
 * standard output tells when that is over.
 */
import { closeSync, openSync } from 'node:fs';

/** Longer than the service takes from one look at itself to the next. */
const shortageMs = 1_500;

/** @type {Record<string, () => void>} */
const troubles = {
  timer() {
    setTimeout(() => {
      throw new Error('thrown by a timer');
    });
  },
  callback() {
    setImmediate(() => {
      throw new Error('thrown by a callback');
    });
  },
  descriptors() {
    /** @type {number[]} */
    const taken = [];
    // Again and again: some are given back.
    const taking = setInterval(() => {
      try {
        for (;;) taken.push(openSync('/dev/null'));
      } catch {
        // None is left.
      }
    });
    setTimeout(() => {
      clearInterval(taking);
      for (const descriptor of taken) closeSync(descriptor);
      process.stdout.write('there are descriptors again\n');
    }, shortageMs);
  },
};

process.on('SIGWINCH', () => troubles[process.env['TROUBLE'] ?? '']?.());

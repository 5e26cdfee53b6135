/**
 * Preloaded into a process of the service: with each SIGWINCH, the next thing goes wrong there. Its
 * standard output tells when the shortage of descriptors is over.
 */
import { closeSync, openSync } from 'node:fs';

/** Longer than the service takes from one look at itself to the next. */
const shortageMs = 1_500;

const troubles = [
  function throwInTimer() {
    setTimeout(() => {
      throw new Error('thrown by a timer');
    });
  },
  function takeDescriptors() {
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
  function throwInCallback() {
    setImmediate(() => {
      throw new Error('thrown by a callback');
    });
  },
];

process.on('SIGWINCH', () => troubles.shift()?.());

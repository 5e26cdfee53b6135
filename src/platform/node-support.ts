const recommendedMajor = 24;

/** The last days with security updates (https://github.com/nodejs/Release), by major version. */
const supportEnds = new Map([
  ['20', '2026-04-30'],
  ['21', '2024-06-01'],
  ['22', '2027-04-30'],
  ['23', '2025-06-01'],
  ['24', '2028-04-30'],
  ['25', '2026-06-01'],
  ['26', '2029-04-30'],
]);

export interface NodeSupport {
  /** Whether this Node has no security updates any more. */
  isOver: boolean;
  /** The end of its updates, or the recommended version after it. */
  sentence: string;
}

/** Whether the running Node is supported at `now`, in milliseconds since the epoch. */
export function nodeSupport(now: number, version = process.versions.node): NodeSupport {
  const [major = ''] = version.split('.');
  const lastDay = supportEnds.get(major);
  if (lastDay === undefined) {
    return { isOver: false, sentence: `Node.js ${version}.` };
  }
  const isOver = new Date(now).toISOString().slice(0, 10) > lastDay;
  const sentence = isOver
    ? `Node.js ${major} has had no security updates since ${lastDay}: Node.js ${recommendedMajor} is recommended.`
    : `Node.js ${version}, with security updates until ${lastDay}.`;
  return { isOver, sentence };
}

import type { Progress } from '../database/backup/write.js';
import type { CommandContext } from './command-context.js';

/** Shows a progress bar on an interactive terminal, and nothing elsewhere. */
export async function withProgress<Result>(
  commandContext: CommandContext,
  label: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  if (commandContext.terminal.stderr.isTTY !== true || commandContext.wantsJson()) {
    return work({ total: () => undefined, advance: () => undefined });
  }
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    {
      format: `${label} {bar} {percentage} %, {value} of {total}, {eta_formatted} left`,
      stream: commandContext.terminal.stderr as NodeJS.WritableStream,
      clearOnComplete: true,
      stopOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  try {
    return await work({
      total: (rows) => bar.start(rows, 0),
      advance: (rows) => bar.increment(rows),
    });
  } finally {
    bar.stop();
  }
}

/** Loaded before every process of a run: notes at its end which mutants it has reached. */
import { appendFileSync } from 'node:fs';

interface Stryker {
  mutantCoverage?: { static: Record<string, number> };
}

process.on('exit', () => {
  const stryker = (globalThis as { __stryker__?: Stryker }).__stryker__;
  const file = process.env['MUTANTS_REACHED'];
  if (file === undefined || stryker?.mutantCoverage === undefined) return;
  appendFileSync(file, `${Object.keys(stryker.mutantCoverage.static).join('\n')}\n`);
});

/**
 * `npm run test:faults [-- words of names…]`: breaks one thing after the other under real processes
 * at work, and has an auditor prove after each that nothing was lost, doubled or left behind. Takes
 * some minutes. Exits 1 when the auditor found anything.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../support/service-log.js';
import { audit, type Evidence } from './audit.js';
import { collectEvidence, countUnsettled, latestExpirySeconds } from './evidence.js';
import type { Fault } from './fault.js';
import { kills } from './faults/kills.js';
import { machine } from './faults/machine.js';
import { stores } from './faults/stores.js';
import { forgeries } from './forgeries.js';
import { untilHealthy, type Host } from './installation.js';
import { startLoad, type Load } from './load.js';
import { startServers, type Servers } from './servers.js';

const faults = [...kills, ...stores, ...machine];
const calmMs = 2_000;
const settleWithinMs = 300_000;
const shownCharacters = 3_000;

interface Row {
  fault: string;
  seen: string;
  healthyAfter: string;
  findings: string[];
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interruption.abort(new Error('interrupted')));
}
const rows: Row[] = [];
const words = process.argv.slice(2).map((word) => word.toLowerCase());
await within(async (scope) => {
  const servers = await startServers(scope);
  for (const fault of faults) {
    if (!words.every((word) => fault.name.toLowerCase().includes(word))) continue;
    if (interruption.signal.aborted) break;
    console.error(`${fault.name} …`);
    const row = await tryFault(fault, servers);
    rows.push(row);
    for (const finding of row.findings.slice(0, 20)) console.error(`  ${finding}`);
  }
});
console.log('| fault | what was seen | healthy after | verdict |');
console.log('| --- | --- | --- | --- |');
for (const { fault, seen, healthyAfter, findings } of rows) {
  const verdict = findings.length === 0 ? 'all is well' : `${findings.length} findings`;
  console.log(`| ${fault} | ${seen} | ${healthyAfter} | ${verdict} |`);
}
const failed = rows.filter(({ findings }) => findings.length > 0).length;
console.log(`\n${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || rows.length === 0 || interruption.signal.aborted ? 1 : 0;

/** Ends what was started, last first. */
async function within<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result> {
  const endings: (() => unknown)[] = [];
  try {
    return await work({ teardown: (ending) => void endings.push(ending) });
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function tryFault(fault: Fault, servers: Servers): Promise<Row> {
  const missing = (await fault.missing?.(servers)) ?? null;
  if (missing !== null) {
    return { fault: fault.name, seen: `skipped: ${missing}`, healthyAfter: '–', findings: [] };
  }
  try {
    return await within(async (scope) => {
      const { installation, strike } = await fault.prepare(scope, servers);
      const { hosts, urls, slots, connectionString } = installation;
      const load = startLoad(urls, slots);
      scope.teardown(() => load.stop());
      await delay(calmMs, undefined, { signal: interruption.signal });
      const detail = (await strike(load)) ?? '';
      const lifted = performance.now();
      await untilHealthy(installation, interruption.signal);
      const seconds = ((performance.now() - lifted) / 1000).toFixed(1);
      const endsDuring = countEnds(hosts);
      await delay(calmMs, undefined, { signal: interruption.signal });
      await load.stop();
      await settle(connectionString);
      const restless = countEnds(hosts).flatMap(([name, ends], index) =>
        ends > endsDuring[index]![1] ? [`${name} ended unasked after all was well`] : [],
      );
      const latest = (await latestExpirySeconds(connectionString)).toFixed(1);
      const evidence = await collectEvidence(fault, installation, load, restless);
      const findings = [...audit(evidence), ...overlooked(evidence)];
      if (findings.length > 0) for (const { name, output } of hosts) show(name, output());
      const ended = endsDuring.flatMap(([name, ends]) =>
        ends > 0 ? [`${name} ended ${ends}×`] : [],
      );
      const seen = [detail, ...ended, describe(load), `latest expiry ${latest} s`]
        .filter((part) => part !== '')
        .join('; ');
      return { fault: fault.name, seen, healthyAfter: `${seconds} s`, findings };
    });
  } catch (error) {
    const findings = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { fault: fault.name, seen: 'it could not be judged', healthyAfter: '–', findings };
  }
}

/** What the auditor does not find where the evidence is forged. */
function overlooked(evidence: Evidence): string[] {
  return forgeries.flatMap(([what, forge, finding]) => {
    const forged = { ...structuredClone(evidence), mayRepeatMails: false };
    forge(forged);
    return audit(forged).some((each) => finding.test(each))
      ? []
      : [`the auditor overlooks ${what}`];
  });
}

/** The end of a process's output, for debugging. */
function show(name: string, output: string): void {
  console.error(`--- ${name}\n${output.slice(-shownCharacters)}`);
}

function countEnds(hosts: Host[]): [name: string, ends: number][] {
  return hosts.map(({ name, unaskedEnds }) => [name, unaskedEnds()]);
}

/** Waits until nothing is left to do; what is left after that, the auditor finds. */
async function settle(connectionString: string): Promise<void> {
  const endsAt = performance.now() + settleWithinMs;
  while (performance.now() < endsAt && (await countUnsettled(connectionString)) > 0) {
    await delay(200, undefined, { signal: interruption.signal });
  }
}

function describe({ acknowledged, answers, slowestMs }: Load): string {
  const count = (pattern: RegExp) =>
    [...answers].reduce((sum, [what, times]) => sum + (pattern.test(what) ? times : 0), 0);
  return [
    `${acknowledged.held.length} holds`,
    `${acknowledged.confirmed.length} confirmed`,
    `${count(/ 503$/)} × 503`,
    `${count(/ cut off$/)} cut off`,
    `slowest answer ${(slowestMs() / 1000).toFixed(1)} s`,
  ].join(', ');
}

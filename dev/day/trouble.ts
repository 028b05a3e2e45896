import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { demoEnv } from '../testbed/demo.ts';
import { commandIn } from '../testbed/server.ts';
import { type Phase, phases } from './order.ts';
import type { Testbed } from './testbed.ts';

/** Counts; `checks` are runs over all rules, `restarts` those of a process. */
type Done = { backups: number; restored: number; checks: number; restarts: number; kills: number };
export type Troubles = { done: Done; longestBackupMs: number; violations: string[]; log: string[] };
export type TroubleOptions = {
  seconds: number;
  /** Seconds between two backups; undefined makes one. */
  backupEvery?: number | undefined;
  /** Backups per restore. */
  restoreEvery: number;
  enter(phase: Phase): void;
  say(text: string): void;
};

/**
 * Start of each trouble as a part of the day. The peak (from `peakFrom`) has none except backups of
 * `--backup-every`.
 */
const [restartAt, backupAt, checkAt, killAt] = [0.2, 0.3, 0.36, 0.62];
export const peakFrom = 0.42;
/** Five minutes of an hour. */
export const peakPart = 1 / 12;

/** Troubles of the market on its day, and the phase each puts it in. */
export function openTroubles(
  { machines, front, folder }: Testbed,
  { seconds, backupEvery, restoreEvery, enter, say }: TroubleOptions,
) {
  const done: Done = { backups: 0, restored: 0, checks: 0, restarts: 0, kills: 0 };
  const troubles: Troubles = { done, longestBackupMs: 0, violations: [], log: [] };
  const now: Phase[] = [];
  const started = performance.now();
  const second = () => (performance.now() - started) / 1000;
  const until = (at: number) => pause(Math.max(0, (at - second()) * 1000));
  const tell = () => enter(phases.find((phase) => now.includes(phase)) ?? 'quiet');

  /** Counts requests during an act to a phase. */
  async function during<T>(phase: Phase, what: string, act: () => Promise<T>): Promise<T> {
    now.push(phase);
    tell();
    const from = second();
    try {
      return await act();
    } finally {
      now.splice(now.indexOf(phase), 1);
      tell();
      troubles.log.push(`${from.toFixed(0)}-${second().toFixed(0)} s ${what}`);
      say(`${second().toFixed(0)} s: ${what}, ${(second() - from).toFixed(1)} s`);
    }
  }

  /** Restores into an empty folder, which checks every rule there. */
  async function restore(file: string): Promise<void> {
    const data = join(folder, 'restored');
    // Production restores on another machine: here it runs at the lowest priority.
    const inside = (command: readonly string[]) => ['nice', '-n', '19', ...command];
    const run = commandIn(demoEnv(data), { inside, seconds: 300 });
    const { code, said, failed } = await run('api/commands/restore.ts', file);
    if (code === 0) done.restored++;
    else troubles.violations.push(`a backup could not be restored: ${said} ${failed}`);
    rmSync(data, { recursive: true, force: true });
  }

  async function backUp(): Promise<void> {
    const file = join(folder, `backup-${done.backups + 1}.tar`);
    const { env } = machines.all[0];
    const made = await during('work', 'backup', () =>
      commandIn(env, { seconds: 120 })('api/commands/backUp.ts', file),
    );
    troubles.longestBackupMs = Math.max(troubles.longestBackupMs, made.ms);
    const kept = made.code === 0 && existsSync(file) && statSync(file).size > 0;
    if (kept) done.backups++;
    else troubles.violations.push(`a backup ${made.hung ? 'hung' : 'failed'}: ${made.failed}`);
    if (kept && backupEvery && done.backups % restoreEvery === 0)
      await during('restoring', 'restore', () => restore(file));
    rmSync(file, { force: true });
  }

  async function restart(): Promise<void> {
    for (const { server } of machines.all) {
      const code = await server.end();
      if (code !== 0) troubles.violations.push(`a process that was asked to end answered ${code}`);
      await server.start();
      done.restarts++;
      await pause(front.restMs);
    }
  }

  async function kill(): Promise<void> {
    // Informs the generator before the first connection breaks.
    await pause(250);
    if (await machines.kill.server?.()) done.kills++;
    await pause(front.restMs);
  }

  async function check(): Promise<void> {
    const { code, said } = await machines.command('api/commands/checkMarket.ts');
    if (code === 0) done.checks++;
    else troubles.violations.push(`the check found: ${said}`);
  }

  /** One after another, each at its time or when the one before is over. */
  async function inTurn(): Promise<void> {
    await until(restartAt * seconds);
    await during('work', 'rolling restart', restart);
    await until(backupAt * seconds);
    if (!backupEvery) await backUp();
    await until(checkAt * seconds);
    await during('work', 'check of all rules', check);
    await until(killAt * seconds);
    await during('kill', 'kill -9', kill);
  }

  async function backups(every: number): Promise<void> {
    for (let at = every; at < seconds; at = Math.max(at + every, Math.ceil(second()))) {
      await until(at);
      await backUp();
    }
  }

  async function tenfold(): Promise<void> {
    await during('warm', 'warm-up', () => until(Math.min(0.05 * seconds, 60)));
    await until(peakFrom * seconds);
    await during('peak', 'tenfold', () => until((peakFrom + peakPart) * seconds));
  }

  /** Settles when everything is done; a failed part is a violation and stops no other. */
  async function all(): Promise<Troubles> {
    const parts = [tenfold(), inTurn(), ...(backupEvery ? [backups(backupEvery)] : [])];
    for (const outcome of await Promise.allSettled(parts))
      if (outcome.status === 'rejected') troubles.violations.push(String(outcome.reason));
    return troubles;
  }
  return all();
}

import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { restoreInto, timedCommand } from '../faults/copies.ts';
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

  async function backUp(): Promise<void> {
    const file = join(folder, `backup-${done.backups + 1}.tar`);
    const made = await during('work', 'backup', () =>
      timedCommand('api/commands/backUp.ts', machines.all[0].env, [file]),
    );
    troubles.longestBackupMs = Math.max(troubles.longestBackupMs, made.ms);
    if (made.ok && existsSync(file) && statSync(file).size > 0) done.backups++;
    else troubles.violations.push(`a backup ${made.hung ? 'hung' : 'failed'}: ${made.said}`);
    if (made.ok && backupEvery && done.backups % restoreEvery === 0) {
      // Production restores on another machine: here it runs at the lowest priority.
      const restored = await during('restoring', 'restore', () =>
        restoreInto(join(folder, 'restored'), file, { seconds: 300, before: ['nice', '-n', '19'] }),
      );
      if (restored.ok) done.restored++;
      else troubles.violations.push(`a backup could not be restored: ${restored.said}`);
    }
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

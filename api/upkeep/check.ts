import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { within } from '../shared/within.ts';
import { checks, type Stopwatch } from './checks.ts';
import type { Finding } from './finding.ts';
import { type CheckName, checkNames, type HealthStatus, overallStatus } from './rules.ts';

export type Checked = Finding & { name: CheckName; milliseconds: number };
export type HealthRun = {
  checkedAt: Date;
  overall: HealthStatus;
  checks: Checked[];
  kept: boolean;
};

type Options = {
  limitMs?: number;
  stopwatch?: Stopwatch;
};

/**
 * Runs and stores every health check (product §4, §9: every 5 minutes; product R28). One that
 * throws or times out is an error and stops no other; `kept` is false if the database is away.
 */
export async function checkHealth(
  ctx: Ctx,
  { limitMs = 5000, stopwatch = () => performance.now() }: Options = {},
): Promise<HealthRun> {
  requireAdmin(ctx);
  const checkedAt = ctx.now();
  const look = (name: CheckName) => lookAt(ctx, name, limitMs, stopwatch);
  // Timed alone, so that the others do not slow them.
  const timed = [await look('database'), await look('performance')];
  const others = await Promise.all(
    checkNames.filter((name) => name !== 'database' && name !== 'performance').map(look),
  );
  const found = new Map([...timed, ...others].map((check) => [check.name, check]));
  const inOrder = checkNames.flatMap((name) => found.get(name) ?? []);
  const kept = await keep(ctx, checkedAt, inOrder, limitMs);
  return {
    checkedAt,
    overall: overallStatus(inOrder.map((check) => check.status)),
    checks: inOrder,
    kept,
  };
}

async function lookAt(
  ctx: Ctx,
  name: CheckName,
  limitMs: number,
  stopwatch: Stopwatch,
): Promise<Checked> {
  const started = stopwatch();
  let finding: Finding;
  try {
    finding = await within(limitMs, checks[name].look(ctx, stopwatch));
  } catch (error) {
    ctx.services.log.error('A health check failed', { check: name, error });
    finding = { status: 'error', code: checks[name].failed };
  }
  return { name, milliseconds: Math.max(0, Math.round(stopwatch() - started)), ...finding };
}

async function keep(
  ctx: Ctx,
  checkedAt: Date,
  found: readonly Checked[],
  limitMs: number,
): Promise<boolean> {
  const rows = found.map(({ name, status, code, params, milliseconds }) => ({
    checkedAt,
    name,
    status,
    code,
    params: params ?? null,
    milliseconds,
  }));
  try {
    await within(limitMs, ctx.db.insert(schema.healthChecks).values(rows).execute());
    return true;
  } catch (error) {
    ctx.services.log.error('The health checks could not be kept', { error });
    return false;
  }
}

import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import type { Look, Wrong } from './check.ts';

/** Null before the first self-check; `look` is null if the run failed. */
export async function lastLook({
  db,
}: Pick<Ctx, 'db'>): Promise<{ at: Date; look: Look | null } | null> {
  const [run] = await db
    .select()
    .from(schema.jobRuns)
    .where(eq(schema.jobRuns.name, 'check-market'));
  if (!run?.finishedAt) return null;
  return { at: run.finishedAt, look: run.outcome === 'failed' ? null : (run.detail as Look) };
}

export function presentWrong({ name, mend, count, ids }: Wrong, language: Language) {
  const t = translator(language, 'admin');
  return { name, count, ids, wrong: t(`check.rules.${name}`), mend: t(`check.mends.${mend}`) };
}

/** For System Health (product R28). */
export async function lastLookPresented(ctx: Ctx) {
  const last = await lastLook(ctx);
  if (!last) return null;
  const { at, look } = last;
  return {
    checkedAt: at.toISOString(),
    checks: look?.checks ?? null,
    wrong: look?.wrong.map((wrong) => presentWrong(wrong, ctx.language)) ?? [],
  };
}

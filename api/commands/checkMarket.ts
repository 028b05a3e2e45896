import { translator } from '../../locales/index.ts';
import { checkMarket } from '../check/check.ts';
import { presentWrong } from '../check/reads.ts';
import type { Ctx } from '../core/context.ts';
import { runCommand } from './command.ts';

/** `bun run check`: the read-only self-check; exits with 1 if a rule is broken (decision 018). */
async function check(ctx: Ctx): Promise<number> {
  const t = translator('en', 'admin');
  const { checks, wrong } = await checkMarket(ctx);
  for (const each of wrong) {
    const { name, count, ids, wrong: what, mend } = presentWrong(each, 'en');
    console.log(`✗ ${name}: ${what}`);
    if (count === null) console.log(`  ${t('check.notLookedAt')}`);
    else
      console.log(
        `  ${ids.join(', ')}${count > ids.length ? ` ${t('check.more', { count: count - ids.length })}` : ''}`,
      );
    console.log(`  ${t('check.mend', { how: mend })}`);
  }
  console.log(`${checks} checks, ${wrong.length} wrong`);
  return wrong.length > 0 ? 1 : 0;
}

await runCommand(() => check, { asItIs: true });

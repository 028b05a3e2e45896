import { setBranding } from '../../locales/index.ts';
import { inEveryLanguage } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { setColours } from '../shared/brand/current.ts';
import { setMark } from '../shared/brand/mark.ts';
import { markKey, readMark } from './mark.ts';
import type { SettingName } from './schema.ts';
import { readSettings } from './values.ts';

const names = [
  ...(['marketName', 'marketTown', 'colours'] as const),
  ...(['taglines', 'figures', 'howItWorks'] as const),
] satisfies SettingName[];

/** True for a setting that pages, mails, pictures and the chat are written with. */
export const isBranding = (setting: string): boolean =>
  setting === markKey || names.some((name) => name === setting);

/** One after the other: an older read must not end last. */
let turn: Promise<unknown> = Promise.resolve();
let known = '';

/**
 * Reads the operator's branding and writes it into every sentence and picture of this process.
 * Answers whether it has changed.
 */
export function loadBranding(ctx: Pick<Ctx, 'db'>): Promise<boolean> {
  const loaded = turn.then(async () => {
    const settings = await readSettings(ctx, names);
    const mark = await readMark(ctx);
    const now = JSON.stringify([settings, mark?.hash]);
    if (now === known) return false;
    known = now;
    const { marketName, marketTown, colours, ...words } = settings;
    setMark(mark);
    setColours(colours);
    setBranding({
      name: marketName,
      town: marketTown,
      words: inEveryLanguage((language) =>
        Object.assign({}, ...Object.values(words).map((own) => own[language])),
      ),
    });
    return true;
  });
  turn = loaded.catch(() => {});
  return loaded;
}

/** {@link loadBranding} after a save. A failure is logged: the notification makes another try. */
export async function showBranding(ctx: Pick<Ctx, 'db' | 'services'>): Promise<void> {
  await loadBranding(ctx).catch((error) =>
    ctx.services.log.error('The branding was saved and could not be read', { error }),
  );
}

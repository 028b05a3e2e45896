import { useBranding } from '../../locales/index.ts';
import { inEveryLanguage } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { useColours } from '../shared/brand/current.ts';
import { useMark } from '../shared/brand/mark.ts';
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

/** Reads the operator's branding and writes it into every sentence of this process. */
export function loadBranding(ctx: Pick<Ctx, 'db'>): Promise<void> {
  const loaded = turn.then(async () => {
    const { marketName, marketTown, colours, ...words } = await readSettings(ctx, names);
    useMark(await readMark(ctx));
    useColours(colours);
    useBranding({
      name: marketName,
      town: marketTown,
      words: inEveryLanguage((language) =>
        Object.assign({}, ...Object.values(words).map((own) => own[language])),
      ),
    });
  });
  turn = loaded.catch(() => {});
  return loaded;
}

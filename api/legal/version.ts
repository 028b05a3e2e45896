import type { Ctx } from '../core/context.ts';

/** When the market's own terms and page on privacy last changed: the version that is agreed to. */
const ownSince = '2026-11-28';

/** `id` is what an agreement names; the texts hold from the day `since`, at midnight in Douala. */
export type Version = { id: string; since: string };

/** Version of the market's own texts. */
export const ownVersion: Version = {
  id: `0-${ownSince.replaceAll('-', '')}`,
  since: `${ownSince}T00:00:00+01:00`,
};

/** The version of the terms and of the page on privacy that holds now. */
export const currentVersion = async (_: Pick<Ctx, 'db'>): Promise<Version> => ownVersion;

/** Ranges in days, and the number of top slots (product §9). */
export const ranges = { '7d': 7, '30d': 30, '90d': 90 } as const;
export type Range = keyof typeof ranges;
export const topCount = 5;

export type Figures = { views: number; clicks: number; messageTaps: number; shares: number };
export const noFigures: Figures = { views: 0, clicks: 0, messageTaps: 0, shares: 0 };

export const sumOf = (rows: readonly Figures[]): Figures =>
  rows.reduce<Figures>(
    (sum, row) => ({
      views: sum.views + row.views,
      clicks: sum.clicks + row.clicks,
      messageTaps: sum.messageTaps + row.messageTaps,
      shares: sum.shares + row.shares,
    }),
    noFigures,
  );

/** Rank of the top slots (product §2). */
export const engagementOf = ({ views, clicks, shares }: Figures): number => views + clicks + shares;

/** Clicks / views × 100 with one decimal (product §2); null without views. */
export const clickThroughRate = ({ views, clicks }: Figures): number | null =>
  views === 0 ? null : Math.round((clicks / views) * 1000) / 10;

/** Days of a range as `2026-11-21`, oldest first. */
export function daysOf(range: Range, today: string): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: ranges[range] }, (_, n) =>
    new Date(end - (ranges[range] - 1 - n) * 86_400_000).toISOString().slice(0, 10),
  );
}

import { premiumCount, slotCount } from '../db/slots.ts';

/** As `slotNumber` writes it (product §2). */
const written = (slotId: number) => String(slotId).padStart(2, '0');

const figures: Record<string, string> = {
  slotCount: String(slotCount),
  lastSlot: written(slotCount),
  lastPremium: written(premiumCount),
  firstStandard: written(premiumCount + 1),
};

/** Of the operator; `marketAndTown` is the name alone without a town. */
export type Names = { market: string; marketAndTown: string };

/**
 * Writes the market's size and names into a dictionary. Sentences name them as `{{slotCount}}`,
 * `{{lastSlot}}`, `{{lastPremium}}`, `{{firstStandard}}`, `{{market}}` or `{{marketAndTown}}`; callers
 * do not pass these.
 */
export function withFigures<D extends object>(dictionary: D, names: Names): D {
  const known: Record<string, string> = { ...figures, ...names };
  return JSON.parse(JSON.stringify(dictionary), (_, node: unknown) =>
    typeof node === 'string'
      ? node.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => known[name] ?? whole)
      : node,
  ) as D;
}

import { premiumCount, slotCount } from '../db/slots.ts';

/** As `slotNumber` writes it (product §2). */
const written = (slotId: number) => String(slotId).padStart(2, '0');

const figures: Record<string, string> = {
  slotCount: String(slotCount),
  lastSlot: written(slotCount),
  lastPremium: written(premiumCount),
  firstStandard: written(premiumCount + 1),
};

/**
 * Writes the market's size and name into a dictionary. Sentences name them as `{{slotCount}}`,
 * `{{lastSlot}}`, `{{lastPremium}}`, `{{firstStandard}}` and `{{market}}`; callers do not pass these.
 */
export const withFigures = <D extends object>(dictionary: D, market: string): D =>
  JSON.parse(JSON.stringify(dictionary), (_, node: unknown) =>
    typeof node === 'string'
      ? node.replaceAll(
          /\{\{(\w+)\}\}/g,
          (whole, name: string) => (name === 'market' ? market : figures[name]) ?? whole,
        )
      : node,
  ) as D;

import { marketName, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Services } from '../core/context.ts';
import { isPremium, slotCount, slotNumber } from '../shared/slots.ts';
import { cardVersion, colour, logo, plate } from './brand.ts';
import { type CardAnswer, fromMemory } from './cards.ts';
import { cardSize, drawPlainCard, stitch, weave } from './draw.ts';
import { letters, type Weight, wrap, writable } from './lettering.ts';

/** Raise it when the drawing changes, so that the card gets a new address. */
const design = 1;

type Sign = { name: string; headline: string; sentence: string };

const signOf = (language: Language): Sign => ({
  name: marketName(language),
  headline: writable(translator(language, 'home')('hero.title')),
  sentence: writable(translator(language, 'common')('brand.oneSentence')),
});

const versionOf = (sign: Sign): string => cardVersion(design, sign);

/** Path of the card with its present version. */
export const marketCardPath = (language: Language, version = versionOf(signOf(language))): string =>
  `/media/cards/market-${language}-${version}.jpg`;

/** The market's own share card, for pages without a picture. Redirects other versions. */
export async function marketCard(
  { services }: { services: Pick<Services, 'pictures'> },
  language: Language,
  version: string | undefined,
): Promise<CardAnswer> {
  const sign = signOf(language);
  const path = marketCardPath(language, versionOf(sign));
  if (version !== versionOf(sign)) return { kind: 'moved', to: path };
  return { kind: 'card', bytes: await fromMemory(path, () => drawMarket(services, sign)) };
}

const band = 54;
const left = 56;
const textWidth = 540;
const stalls = { x: 660, y: 96, across: 6, step: 83, rise: 56, width: 79, height: 52 } as const;
/** Middle of the weave's diamond within its pattern. */
const diamond = { x: 54, y: 27 } as const;

/** Number plates of all stalls; the premium ones hang on woven cloth. */
function square(): string {
  const { x, y, across, step, rise, width, height } = stalls;
  const cloth = `<rect x="${diamond.x - width / 2}" y="${diamond.y - height / 2}" width="${width}" height="${height}" rx="5" fill="url(#weave)"/>`;
  return Array.from({ length: slotCount }, (_, at) => {
    const middleX = x + (at % across) * step + width / 2;
    const middleY = y + Math.floor(at / across) * rise + height / 2;
    const { svg, width: plateWidth, height: plateHeight } = plate(slotNumber(at + 1), 0, 0, 30);
    return (
      (isPremium(at + 1)
        ? `<g transform="translate(${middleX - diamond.x} ${middleY - diamond.y})">${cloth}</g>`
        : '') +
      `<g transform="translate(${middleX - plateWidth / 2} ${middleY - plateHeight / 2})">${svg}</g>`
    );
  }).join('');
}

function drawMarket(
  services: Pick<Services, 'pictures'>,
  { name, headline, sentence }: Sign,
): Promise<Uint8Array<ArrayBuffer>> {
  const size =
    [72, 66, 60, 54].find((one) => wrap(headline, 'bold', one, textWidth, 2).whole) ?? 48;
  let y = 204;
  const lines = (text: string, weight: Weight, size: number, most: number, fill: string) =>
    wrap(text, weight, size, textWidth, most).lines.map((words) => {
      y += size * 1.12;
      return letters(words, { x: left, y, size, weight, fill });
    });
  const parts = [
    `<path d="M0 0h${cardSize.width}v${band}H0z" fill="url(#weave)"/>`,
    logo(name, left, 142, 92, 'left', textWidth),
    ...lines(headline, 'bold', size, 3, colour.ink),
  ];
  y += 42;
  parts.push(stitch(`M${left} ${y}h${textWidth}`));
  y += 22;
  parts.push(...lines(sentence, 'medium', 36, 5, colour.soft), square());
  return drawPlainCard(services, parts, { mark: 'marche54-market', defs: weave });
}

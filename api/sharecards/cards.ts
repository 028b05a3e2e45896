import { and, eq, gt, isNotNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Language, languages } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import type { Storage } from '../core/storage.ts';
import { type PublicRow, publicRows, standingOf } from '../listings/standing.ts';
import { drawCard, type Face } from './draw.ts';
import { cardPath, faceOf, versionOf } from './face.ts';

const prefix = 'products/card-';

/**
 * The storage key of a product's card in a language. One file each, drawn over when the product changes, so that no old version is
 * left behind; which version it is stands in its metadata.
 */
export const cardKey = (productId: string, language: Language): string =>
  `${prefix}${productId}-${language}.jpg`;
/** Every card of a product: what goes when the product goes. */
export const cardKeys = (productId: string): string[] =>
  languages.map((language) => cardKey(productId, language));
/** Whether a storage key is a card's: those are handed out by their own door, which asks where the product stands first. */
export const isCardKey = (key: string): boolean => key.startsWith(prefix);

const mark = (version: string): string => `marche54-card ${version}`;
const isVersion = (bytes: Uint8Array<ArrayBuffer>, version: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).includes(
    mark(version),
  );

type Drawings = {
  /** Cards under way: whoever asks for one of them gets the same. */
  drawing: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
  /** Which version of a key this process has seen or made, so that the job reads each file once. */
  settled: Map<string, string>;
};
const drawingsByStorage = new WeakMap<Storage, Drawings>();
function drawingsOf({ storage }: Ctx['services']): Drawings {
  const drawings = drawingsByStorage.get(storage) ?? { drawing: new Map(), settled: new Map() };
  drawingsByStorage.set(storage, drawings);
  return drawings;
}

/** One card at a time in a process: a crowd of crawlers must not take the processor from people. */
let turn: Promise<unknown> = Promise.resolve();
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** Draws and stores one card, once however many ask at the same time. A card that cannot be stored is still answered. */
function draw(
  ctx: Ctx,
  key: string,
  face: Face,
  version: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { storage, log } = ctx.services;
  const { drawing, settled } = drawingsOf(ctx.services);
  const name = `${key} ${version}`;
  const under = drawing.get(name);
  if (under) return under;
  const work = inTurn(async () => {
    const picture = face.picture ? await storage.get(face.picture) : undefined;
    const bytes = await drawCard(ctx.services, face, picture, mark(version));
    try {
      await storage.put(key, bytes, 'image/jpeg');
      settled.set(key, version);
    } catch (error) {
      log.warn('A share card could not be stored', { key, error });
    }
    return bytes;
  });
  const made = work.finally(() => drawing.delete(name));
  drawing.set(name, made);
  return made;
}

export type CardAnswer =
  | { kind: 'card'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'moved'; to: string };

/**
 * The share card of a product (design: "The share card looks like the stall"). The present version is answered from storage, or drawn
 * now; any other version, or none, leads to the present one, so that nothing is ever drawn for a made-up address. Refuses
 * `products.notFound` where the product has no public page (product R10).
 */
export async function shareCard(
  ctx: Ctx,
  productId: string,
  language: Language,
  version: string | undefined,
): Promise<CardAnswer> {
  const [row] = await publicRows(ctx, eq(schema.products.id, productId));
  const standing = row && standingOf(row, ctx.now());
  if (!row || !standing) throw new Refusal('products.notFound');
  const face = faceOf(row, standing, language);
  const present = versionOf(face);
  if (version !== present) return { kind: 'moved', to: cardPath(productId, language, present) };
  const key = cardKey(productId, language);
  const stored = await ctx.services.storage.get(key);
  return {
    kind: 'card',
    bytes: stored && isVersion(stored, present) ? stored : await draw(ctx, key, face, present),
  };
}

/** How far back the job looks for products that left the market: longer than any stop of the server that is worth a thought. */
const lookBackMs = 2 * 86_400_000;

/**
 * Draws the cards of live products that are missing or outdated, in both languages, and deletes the outdated ones of products that
 * are not live any more: theirs are drawn when somebody asks. May run twice and harm nothing.
 * @param budgetMs begin no new card after this long, so that a run ends before the next one is due
 */
export async function drawShareCards(
  ctx: Ctx,
  { budgetMs = 25_000 } = {},
): Promise<{ drawn: number; deleted: number }> {
  const { slots, products, sellers } = schema;
  const since = new Date(ctx.now().getTime() - lookBackMs);
  const rows = await publicRows(
    ctx,
    or(
      isNotNull(slots.id),
      gt(products.updatedAt, since),
      and(eq(sellers.suspended, true), gt(sellers.suspendedAt, since)),
      gt(sellers.leavingAt, since),
    ),
  );
  const { settled } = drawingsOf(ctx.services);
  const result = { drawn: 0, deleted: 0 };
  const started = performance.now();
  const seen = new Set<string>();
  for (const row of rows.sort(bySlot)) {
    const standing = standingOf(row, ctx.now());
    for (const language of languages) {
      if (performance.now() - started > budgetMs) return result;
      const key = cardKey(row.id, language);
      seen.add(key);
      const outcome = await settle(ctx, key, standing && faceOf(row, standing, language));
      if (outcome) result[outcome]++;
    }
  }
  for (const key of settled.keys()) if (!seen.has(key)) settled.delete(key);
  return result;
}

const bySlot = (a: PublicRow, b: PublicRow): number => (a.slotId ?? 99) - (b.slotId ?? 99);

async function settle(
  ctx: Ctx,
  key: string,
  face: Face | undefined,
): Promise<'drawn' | 'deleted' | undefined> {
  const { storage } = ctx.services;
  const { settled } = drawingsOf(ctx.services);
  const version = face ? versionOf(face) : 'none';
  if (settled.get(key) === version) return undefined;
  const stored = await storage.get(key);
  if (stored && isVersion(stored, version)) {
    settled.set(key, version);
    return undefined;
  }
  if (face?.state === 'live') {
    await draw(ctx, key, face, version);
    return 'drawn';
  }
  if (stored) await storage.delete([key]);
  settled.set(key, version);
  return stored ? 'deleted' : undefined;
}

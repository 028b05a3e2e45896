import { and, eq, gt, isNotNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Language, languages } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type PublicRow, publicRows, standingOf } from '../listings/standing.ts';
import type { Storage } from '../ops/storage.ts';
import { Refusal } from '../shared/errors.ts';
import { drawCard, type Face } from './draw.ts';
import { cardPath, faceOf, versionOf } from './face.ts';

const prefix = 'products/card-';

/**
 * Storage key without version, so old versions are overwritten; the file's metadata holds the
 * version.
 */
export const cardKey = (productId: string, language: Language): string =>
  `${prefix}${productId}-${language}.jpg`;
export const cardKeys = (productId: string): string[] =>
  languages.map((language) => cardKey(productId, language));
/** Cards have their own route, which checks that the product is public. */
export const isCardKey = (key: string): boolean => key.startsWith(prefix);

const mark = (version: string): string => `marche54-card ${version}`;
const isVersion = (bytes: Uint8Array<ArrayBuffer>, version: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).includes(
    mark(version),
  );

type Drawings = {
  /** Cards in progress, shared by concurrent requests. */
  drawing: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
  /** Version of each stored key, so the job reads each file once per process. */
  settled: Map<string, string>;
};
const drawingsByStorage = new WeakMap<Storage, Drawings>();
function drawingsOf({ storage }: Ctx['services']): Drawings {
  const drawings = drawingsByStorage.get(storage) ?? { drawing: new Map(), settled: new Map() };
  drawingsByStorage.set(storage, drawings);
  return drawings;
}

/** One card at a time per process, so crawlers cannot take the processor from people. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** Draws and stores a card; a failed store still returns it. */
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

/** Kept in memory only (50 kB each): a link is fetched a few times soon after it was sent. */
const mostInMemory = 60;
const inMemory = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** A card by its path with version; the least recently used goes first. */
export function fromMemory(
  path: string,
  draw: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = inMemory.get(path) ?? inTurn(draw);
  inMemory.delete(path);
  inMemory.set(path, drawn);
  // A failed drawing is tried again.
  drawn.catch(() => inMemory.delete(path));
  for (const [oldest] of inMemory) if (inMemory.size > mostInMemory) inMemory.delete(oldest);
  return drawn;
}

export type CardAnswer =
  | { kind: 'card'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'moved'; to: string };

/**
 * The share card of a product (design: "The share card looks like the stall"). Redirects other
 * versions, so made-up addresses draw nothing. Refuses `products.notFound` without a public page
 * (product R10).
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

/** Longer than any likely downtime. */
const lookBackMs = 2 * 86_400_000;

/**
 * Draws missing and outdated cards of live products; deletes outdated ones of others, which are
 * drawn on request.
 * @param budgetMs starts no card after this long, so a run ends before the next
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

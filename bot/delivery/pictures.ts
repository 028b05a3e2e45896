import type { Ctx } from '../../api/core/context.ts';

/** Pixels: the width of a phone's screen. */
const width = 1080;
/** Per process. */
const mostKept = 40;
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * A stored picture as JPEG, for any transport. Undefined if missing or broken: the text then goes
 * alone. Without the picture storage it comes from the market's site.
 */
export async function pictureFor(
  { services }: Ctx,
  key: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { storage, pictures, env, log } = services;
  const make = async () => {
    const bytes = (await storage.get(key)) ?? (await fetched(`${env.publicUrl}/media/${key}`));
    return pictures.jpeg(bytes, width);
  };
  const known = kept.get(key);
  const made = known ?? make();
  if (!known) kept.set(key, made);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
  try {
    return await made;
  } catch (error) {
    kept.delete(key);
    log.warn('A picture could not be made for a chat', { key, error });
    return undefined;
  }
}

async function fetched(address: string): Promise<Uint8Array> {
  const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`The market answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

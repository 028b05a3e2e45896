import { createHash } from 'node:crypto';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { sealAddress } from '../people/chats.ts';
import { Refusal } from '../shared/errors.ts';
import { addressOf, networkOf, patience, personOf } from './chat.ts';
import type { DemoRole } from './schema.ts';

/** An unassigned phone number (db/seed/numbers.ts), fixed per chat. */
function numberFor(address: string): string {
  const digits = createHash('sha256').update(address).digest().readUInt32BE() % 900_000;
  return `+237954${100_000 + digits}`;
}

/**
 * Writes in a demo chat and waits briefly for the answer. Refuses `notFound`, `unavailable`,
 * `forbidden`, `chats.factorNeeded`.
 */
export async function writeInDemo(
  ctx: Ctx,
  visitor: string,
  {
    as: role,
    text,
    share,
    photo,
  }: { as: DemoRole; text: string; share?: boolean; photo?: Uint8Array | undefined },
): Promise<{ written: true }> {
  openToEveryone(ctx);
  const network = networkOf(ctx);
  if (!network.open) throw new Refusal('unavailable');
  const address = addressOf(visitor, role);
  const person = await personOf(ctx, role);
  const now = ctx.now();
  const linked = { userId: person?.id ?? null, linkedAt: person ? now : null };
  // Links new chats only, so an unlinked chat stays unlinked.
  await ctx.db
    .insert(schema.chats)
    .values({
      ...sealAddress(ctx.services.secret, 'telegram', address),
      ...linked,
      language: ctx.language,
      createdAt: now,
      wroteAt: now,
    })
    .onConflictDoNothing();
  const last = network.read(address).at(-1)?.id ?? 0;
  await network.write(address, {
    text,
    photo,
    number: share ? (person?.whatsapp ?? numberFor(address)) : undefined,
  });
  await network.news(address, last, patience.form);
  return { written: true };
}

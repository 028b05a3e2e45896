import { createECDH, createHash } from 'node:crypto';
import type { Ctx } from '../core/context.ts';
import { keptSecret } from '../ops/secret.ts';

export type PushKeys = { publicKey: string; privateKey: string };

/**
 * Keys by which the market proves itself to push services (VAPID, RFC 8292), as base64url. Made at
 * first use, kept in the database and so in each backup. With other keys browsers have to be asked
 * again (docs/offline.md).
 */
export async function pushKeys({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<PushKeys> {
  const pair = createECDH('prime256v1');
  const privateKey = await keptSecret(db, 'push', now(), () => {
    pair.generateKeys();
    // Leading zeros are no part of the number.
    return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  });
  pair.setPrivateKey(privateKey, 'base64url');
  return { publicKey: pair.getPublicKey('base64url'), privateKey };
}

/** Names a browser's address in lookups. */
export const endpointHash = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('hex');

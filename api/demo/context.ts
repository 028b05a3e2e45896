import type { Db } from '../../db/client.ts';
import type { Ctx, Services } from '../core/context.ts';

export function demoContext(host: { db: Db; services: Services; now: () => Date }): Ctx {
  return {
    ...host,
    actor: { kind: 'job', name: 'demo' },
    via: 'job',
    language: 'en',
    requestId: 'demo',
    client: { visitor: null, addressHash: '', userAgent: '' },
  };
}

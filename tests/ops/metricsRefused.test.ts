import { describe, expect, test } from 'vitest';
import { caddy, nginx, openCaddy, openNginx } from '../../dev/ops/fronts.ts';

const openers = [
  { name: 'Caddy', found: caddy, open: (port: number) => openCaddy([port], 'one') },
  { name: 'nginx', found: nginx, open: (port: number) => openNginx([port]) },
];

describe.each(openers)('$name', ({ found, open }) => {
  test.skipIf(!found)(
    'refuses /metrics, however it is written, and passes the rest',
    { timeout: 30_000 },
    async () => {
      const market = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () => new Response('passed'),
      });
      const front = await open(market.port ?? 0);
      try {
        const ask = async (path: string) => {
          const response = await fetch(`${front.home}${path}`, {
            headers: { authorization: 'Bearer a-token' },
          });
          return [response.status, (await response.text()).includes('passed')];
        };
        expect(await ask('/metric')).toEqual([200, true]);
        for (const path of ['/metrics', '/metrics?x=1', '/%6detrics'])
          expect([path, ...(await ask(path))]).toEqual([path, 404, false]);
      } finally {
        await front.stop();
        await market.stop(true);
      }
    },
  );
});

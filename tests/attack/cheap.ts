import { slotCount } from '../../api/core/slots.ts';
import { openLines } from '../bench/http.ts';
import type { Attack } from './attacks.ts';
import { inWords, openStalls, repeat, status } from './requests.ts';

type OwnProduct = { id: string };

/** Requests that cost their sender next to nothing. */
export const cheap: readonly Attack[] = [
  {
    name: 'load: 12,000 views from one address, no cookie kept',
    async run({ url, sql }) {
      const live = await openStalls(url);
      const count = async () => (await sql<{ count: number }[]>`select count(*)::int as count from engagement_events`)[0]?.count ?? 0;
      const before = await count();
      const outcomes = await repeat(12_000, 32, (n) => {
        const slot = live[n % live.length];
        return status(`${url}/api/engagement`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (Linux; Android 12) Chrome/130 Mobile' },
          body: JSON.stringify({ slotId: slot?.slot_id, productId: slot?.product_id, type: 'view' }),
        });
      });
      const counted = (await count()) - before;
      return { note: `${inWords(outcomes)}; counted ${counted}`, held: counted < 2000 };
    },
  },
  {
    name: 'load: 700 made-up lists of stalls',
    async run({ url }) {
      const outcomes = await repeat(700, 8, (n) => {
        const ids = [...Array(slotCount).keys()].map((id) => id + 1).filter((id) => id === 1 + (n % slotCount) || (n >> (id % 10)) & 1);
        return status(`${url}/stalls?ids=${ids.join(',')}`);
      });
      return { note: inWords(outcomes), held: !outcomes.has('no answer') };
    },
  },
  {
    name: 'load: forms of 8 MB to /preferences',
    async run({ url }) {
      const body = Array.from({ length: 700_000 }, (_, n) => `k${n}=1`).join('&');
      const outcomes = await repeat(4, 4, () =>
        status(`${url}/preferences`, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }),
      );
      return { note: `${(body.length / 1e6).toFixed(1)} MB each: ${inWords(outcomes)}`, held: !outcomes.has(303) };
    },
  },
  {
    name: 'load: 200 withdrawals and relistings before 50 open pages',
    async run({ url, port, seller }) {
      const products = ((await (await fetch(`${url}/api/products/mine`, { headers: { cookie: seller } })).json()) as { products: OwnProduct[] }).products;
      const open = await openLines(port, 50);
      let woken = 0;
      for (const line of open.lines) line.onChange = () => woken++;
      const outcomes = new Map<string | number, number>();
      for (let n = 0; n < 200; n++) {
        const { id } = products[n % products.length] as OwnProduct;
        for (const verb of ['withdraw', 'relist']) {
          const outcome = await status(`${url}/api/products/${id}/${verb}`, { method: 'POST', headers: { cookie: seller } });
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
      open.close();
      const each = woken / 50;
      return { note: `${inWords(outcomes)}; each page woken ${each.toFixed(0)} times`, held: each < 100 };
    },
  },
];

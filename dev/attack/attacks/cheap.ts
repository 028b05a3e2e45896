import { slotCount } from '../../../api/shared/slots.ts';
import { openStreams } from '../../bench/http.ts';
import type { Attack } from '../attack.ts';
import { addressOf } from '../people.ts';
import { inWords, openStalls, repeat, status } from '../requests.ts';

type OwnProduct = { id: string };

/** Reads that miss every cache, 64 at once. */
const burst = (name: string, address: (n: number) => string): Attack => ({
  name,
  want: 5,
  async run({ url }) {
    const [first] = await openStalls(url);
    const reads = [
      (n: number) => `/stalls?ids=${1 + (n % 30)},${31 + (n % 24)}&x=${n}`,
      (n: number) => `/shop/${first?.slot_id}/details?x=${n}`,
      (n: number) => `/?x=${n}`,
      (n: number) => `/connect?search=van+${n}`,
      () => '/api/slots',
      (n: number) => `/api/connect/posts?search=driver+${n}`,
      (n: number) => `/shop/slot/${first?.slot_id}?x=${n}`,
      (n: number) => `/nowhere/${n}`,
    ];
    const outcomes = await repeat(2400, 64, (n) =>
      status(`${url}${reads[n % reads.length]?.(n)}`, {
        headers: { 'x-forwarded-for': address(n) },
      }),
    );
    const failed = [...outcomes.keys()].some(
      (outcome) => outcome === 'no answer' || (Number(outcome) >= 500 && outcome !== 503),
    );
    return { note: inWords(outcomes), held: !failed };
  },
});

/** Requests that cost their sender next to nothing. */
export const cheap: readonly Attack[] = [
  {
    name: 'load: 12,000 views from one address, no cookie kept',
    async run({ url, sql }) {
      const live = await openStalls(url);
      const count = async () =>
        (await sql<{ count: number }[]>`select count(*)::int as count from engagement_events`)[0]
          ?.count ?? 0;
      const before = await count();
      const outcomes = await repeat(12_000, 32, (n) => {
        const slot = live[n % live.length];
        return status(`${url}/api/engagement`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Mozilla/5.0 (Linux; Android 12) Chrome/130 Mobile',
          },
          body: JSON.stringify({
            slotId: slot?.slot_id,
            productId: slot?.product_id,
            type: 'view',
          }),
        });
      });
      const counted = (await count()) - before;
      return { note: `${inWords(outcomes)}; counted ${counted}`, held: counted < 2000 };
    },
  },
  {
    name: 'load: 700 made-up lists of stalls',
    want: 5,
    async run({ url }) {
      const outcomes = await repeat(700, 8, (n) => {
        const ids = [...Array(slotCount).keys()]
          .map((id) => id + 1)
          .filter((id) => id === 1 + (n % slotCount) || (n >> (id % 10)) & 1);
        return status(`${url}/stalls?ids=${ids.join(',')}`);
      });
      return { note: inWords(outcomes), held: !outcomes.has('no answer') };
    },
  },
  burst('load: 2,400 uncached reads in a burst, of one address', () => '10.206.0.1'),
  burst('load: 2,400 uncached reads in a burst, of eight addresses', (n) =>
    addressOf(530_000 + (n % 8)),
  ),
  {
    name: 'load: forms of 8 MB to /preferences',
    async run({ url }) {
      const body = Array.from({ length: 700_000 }, (_, n) => `k${n}=1`).join('&');
      const outcomes = await repeat(4, 4, () =>
        status(`${url}/preferences`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        }),
      );
      return {
        note: `${(body.length / 1e6).toFixed(1)} MB each: ${inWords(outcomes)}`,
        held: !outcomes.has(303),
      };
    },
  },
  {
    name: 'load: 200 withdrawals and relistings before 50 open pages',
    async run({ url, port, seller }) {
      const products = (
        (await (
          await fetch(`${url}/api/products/mine`, { headers: { cookie: seller } })
        ).json()) as { products: OwnProduct[] }
      ).products;
      const open = await openStreams(port, 50);
      let woken = 0;
      for (const line of open.streams) line.onChange = () => woken++;
      const outcomes = new Map<string | number, number>();
      for (let n = 0; n < 200; n++) {
        const { id } = products[n % products.length] as OwnProduct;
        for (const verb of ['withdraw', 'relist']) {
          const outcome = await status(`${url}/api/products/${id}/${verb}`, {
            method: 'POST',
            headers: { cookie: seller },
          });
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
      open.close();
      const each = woken / 50;
      return {
        note: `${inWords(outcomes)}; each page woken ${each.toFixed(0)} times`,
        held: each < 100,
      };
    },
  },
];

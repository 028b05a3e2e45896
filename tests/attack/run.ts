import { parseArgs } from 'node:util';
import { buildSite } from '../../api/build.ts';
import { percentile, type Result, table } from '../bench/report.ts';
import type { Attack } from './attacks.ts';
import { board } from './board.ts';
import { chats } from './chats.ts';
import { cheap } from './cheap.ts';
import { database } from './database.ts';
import { freezing } from './freezing.ts';
import { lines } from './lines.ts';
import { type Market, startMarket, untilQuiet } from './market.ts';
import { members } from './members.ts';
import type { FromProbe, ToProbe } from './probe.ts';
import { openStalls } from './requests.ts';
import { slowLines } from './slow.ts';

/**
 * `bun run attack`: repeats the attacks that once froze the market, against a server that it starts itself and no other, and prints for
 * each how long a good GET took meanwhile, in relation to a quiet one. `--quick` sends 640 KB at 8 KB/s instead of 5 MB: two minutes
 * instead of eleven. `--only 'members|board'` runs only the attacks with such a name. Ends with 1 when the market did not hold.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } } });
const attacks: readonly Attack[] = [...freezing, ...cheap, ...members, ...board, ...chats, ...lines, ...database].filter(({ name }) =>
  new RegExp(values.only).test(name),
);
/** How many times a quiet moment's time the buyer may wait. */
const usual = 3;

/** Looks around as a buyer does until told to stop. */
function probe(urls: string[]): { done(): Promise<FromProbe> } {
  let received: (answer: FromProbe) => void = () => {};
  const answer = new Promise<FromProbe>((resolve) => {
    received = resolve;
  });
  const child = Bun.spawn([process.execPath, new URL('./probe.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: FromProbe) => received(message),
  });
  child.send({ urls } satisfies ToProbe);
  return {
    async done() {
      child.send({ stop: true } satisfies ToProbe);
      return answer;
    },
  };
}

/** What a buyer looks at: the market, its data, a stall, a page of words, a picture. */
async function goodUrls({ url }: Market): Promise<string[]> {
  const [first] = await openStalls(url);
  const photo = /\/media\/[^"\s,]+/.exec(JSON.stringify(first?.product_images ?? ''))?.[0];
  if (!first || !photo) throw new Error('The market has no open stall with a picture');
  return ['/', '/api/slots', `/shop/slot/${first.slot_id}`, '/fr/how-it-works', photo].map((path) => `${url}${path}`);
}

async function measured(urls: string[], work: () => Promise<unknown>): Promise<FromProbe> {
  const buyer = probe(urls);
  await work().catch((error) => console.error(error));
  return buyer.done();
}

async function main(): Promise<boolean> {
  await buildSite();
  console.error('· starting a market of its own');
  const market = await startMarket();
  try {
    const urls = await goodUrls(market);
    console.error('· waiting until its pictures are made');
    await untilQuiet(market);
    const slow = !new RegExp(values.only).test('slow lines') ? undefined : slowLines(market, values.quick ? 640 * 1024 : 5 * 1024 * 1024 - 4096);
    const results: Result[] = [];
    let held = true;
    for (const attack of attacks) {
      console.error(`· ${attack.name}`);
      // Just before: the machine may be busy with something else by the hour.
      const quiet = await measured(urls, () => Bun.sleep(6000));
      const reference = percentile(quiet.milliseconds, 0.95);
      const want = attack.want ?? usual;
      let outcome = { note: 'broke off', held: false };
      const buyer = await measured(urls, async () => {
        outcome = await attack.run(market);
        await Bun.sleep(attack.settleMs ?? 0);
      });
      const value = percentile(buyer.milliseconds, 0.95);
      const worst = `${Math.round(buyer.worst.ms)} ms (${buyer.worst.path})`;
      const failed = Object.entries(buyer.statuses).filter(([status]) => status !== '200');
      const note = `${outcome.note}; worst GET ${worst}${failed.map(([status, times]) => `, ${status} × ${times}`).join('')}`;
      results.push({
        name: attack.name,
        value,
        unit: 'ms',
        reference,
        ratio: value / reference,
        want: `ratio ≤ ${want}`,
        met: value / reference <= want,
        note,
      });
      held &&= outcome.held;
    }
    market.releaseMail();
    if (slow) {
      console.error('· waiting for the slow line');
      const { arriving, silent, bytes } = await slow;
      const cut = silent.filter(({ status }) => status !== 201).map(({ seconds }) => Math.round(seconds));
      const arrived = arriving.status === 201;
      const note = `${bytes} bytes at 8 KB/s: ${arriving.status ?? 'cut'}; ${cut.length} silent lines ended after ${Math.max(...cut)} s at most`;
      results.push({ name: 'slow lines', value: arriving.seconds, unit: 's', want: 'arrives', met: arrived, note });
      held &&= arrived && cut.length === silent.length && Math.max(...cut) < 190;
    }
    console.log(`\nA good GET, 95th percentile, during each attack and in the quiet moment before it\n\n${table(results)}\n`);
    console.log(held ? 'The market held.' : 'The market did not hold everything: see the notes.');
    return held;
  } finally {
    await market.stop();
  }
}

process.exit((await main()) ? 0 : 1);

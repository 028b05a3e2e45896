import { parseArgs } from 'node:util';
import { buildSite } from '../../api/pages/build.ts';
import { percentile, type Result, table } from '../bench/report.ts';
import type { Attack } from './attack.ts';
import { chats } from './attacks/chats.ts';
import { cheap } from './attacks/cheap.ts';
import { connect } from './attacks/connect.ts';
import { database } from './attacks/database.ts';
import { forms } from './attacks/forms.ts';
import { freezing } from './attacks/freezing.ts';
import { google } from './attacks/google.ts';
import { members } from './attacks/members.ts';
import { shutting } from './attacks/shutting.ts';
import { streams } from './attacks/streams.ts';
import { inspections } from './inspections.ts';
import { type Market, startMarket, untilQuiet } from './market.ts';
import { watchMemory } from './memory.ts';
import type { FromProbe, ToProbe } from './probe.ts';
import { openStalls } from './requests.ts';
import { slowUploads } from './slow.ts';

/**
 * `bun run attack`: repeats attacks that once froze the market or locked people out, only against
 * servers it starts itself. Prints how much each slowed a GET, relative to a quiet moment, and the
 * memory used.
 * `--quick` sends 640 KB at 8 KB/s instead of 5 MB; `--only 'members|board'` selects by name;
 * `--operation 'connect/posts'` limits the loop's measurement; `--heap FILE` writes the market's
 * memory use (heap.ts). Exits with 1 when the market did not hold.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    operation: { type: 'string', default: '' },
    heap: { type: 'string', default: '' },
  },
});
const named = ({ name }: { name: string }) => new RegExp(values.only).test(name);
const groups = [
  freezing,
  cheap,
  shutting,
  members,
  google,
  connect,
  forms,
  chats,
  streams,
  database,
];
const attacks: readonly Attack[] = groups.flat().filter(named);
const looks = inspections(new RegExp(values.operation)).filter(named);
/** Allowed slowdown of the buyer, as a multiple of a quiet moment. */
const usual = 3;

/** Browses as a buyer until stopped. */
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

/** A buyer's addresses: the market, its data, a stall, a text page, a picture. */
async function goodUrls({ url }: Market): Promise<string[]> {
  const [first] = await openStalls(url);
  const photo = /\/media\/[^"\s,]+/.exec(JSON.stringify(first?.product_images ?? ''))?.[0];
  if (!first || !photo) throw new Error('The market has no open stall with a picture');
  return ['/', '/api/slots', `/shop/slot/${first.slot_id}`, '/fr/how-it-works', photo].map(
    (path) => `${url}${path}`,
  );
}

async function measured(urls: string[], work: () => Promise<unknown>): Promise<FromProbe> {
  const buyer = probe(urls);
  await work().catch((error) => console.error(error));
  return buyer.done();
}

/**
 * Runs an attack beside its buyer and returns its row. The reference is measured just before, since
 * the machine's load may change by the hour.
 */
async function attacked(
  market: Market,
  urls: string[],
  attack: Attack,
): Promise<{ result: Result; held: boolean }> {
  const quiet = await measured(urls, () => Bun.sleep(6000));
  const reference = percentile(quiet.milliseconds, 0.95);
  const want = attack.want ?? usual;
  const memory = watchMemory(market.pid);
  let outcome = { note: 'broke off', held: false };
  const buyer = await measured(urls, async () => {
    outcome = await attack.run(market);
    await Bun.sleep(attack.settleMs ?? 0);
  });
  const value = percentile(buyer.milliseconds, 0.95);
  const worst = `${Math.round(buyer.worst.ms)} ms (${buyer.worst.path})`;
  const failed = Object.entries(buyer.statuses).filter(([status]) => status !== '200');
  const note = `${outcome.note}; worst GET ${worst}${failed.map(([status, times]) => `, ${status} × ${times}`).join('')}; ${memory.stop()}`;
  const ratio = value / reference;
  return {
    held: outcome.held,
    result: {
      name: attack.name,
      value,
      unit: 'ms',
      reference,
      ratio,
      want: `ratio ≤ ${want}`,
      met: ratio <= want,
      note,
    },
  };
}

/** Waits for the slow connections to end. */
async function arrived(
  slow: ReturnType<typeof slowUploads>,
): Promise<{ result: Result; held: boolean }> {
  console.error('· waiting for the slow line');
  const { arriving, silent, bytes } = await slow;
  const cut = silent
    .filter(({ status }) => status !== 201)
    .map(({ seconds }) => Math.round(seconds));
  const met = arriving.status === 201;
  const note = `${bytes} bytes at 8 KB/s: ${arriving.status ?? 'cut'}; ${cut.length} silent lines ended after ${Math.max(...cut)} s at most`;
  return {
    held: met && cut.length === silent.length && Math.max(...cut) < 190,
    result: { name: 'slow lines', value: arriving.seconds, unit: 's', want: 'arrives', met, note },
  };
}

/** Runs the attacks beside a buyer. */
async function besideABuyer(): Promise<boolean> {
  const withSlow = named({ name: 'slow lines' });
  if (attacks.length === 0 && !withSlow) return true;
  console.error('· starting a market of its own');
  const market = await startMarket(values.heap ? { heapFile: values.heap } : {});
  try {
    const urls = await goodUrls(market);
    console.error('· waiting until its pictures are made');
    await untilQuiet(market);
    const slow = withSlow
      ? slowUploads(market, values.quick ? 640 * 1024 : 5 * 1024 * 1024 - 4096)
      : undefined;
    const rows: { result: Result; held: boolean }[] = [];
    for (const attack of attacks) {
      console.error(`· ${attack.name}`);
      rows.push(await attacked(market, urls, attack));
    }
    market.releaseMail();
    if (slow) rows.push(await arrived(slow));
    const printed = rows.map(({ result, held }) =>
      held ? result : { ...result, note: `NOT HELD: ${result.note}` },
    );
    console.log(
      `\nA good GET, 95th percentile, during each attack and in the quiet moment before it\n\n${table(printed)}\n`,
    );
    return rows.every(({ held }) => held);
  } finally {
    await market.stop();
  }
}

/** Runs the inspections, which have no buyer. */
async function inspected(): Promise<boolean> {
  let all = true;
  for (const look of looks) {
    console.error(`· ${look.name}`);
    const { result, held, lines } = await look.run();
    console.log(`\n${lines}\n\n${table([result])}\n`);
    all &&= held;
  }
  return all;
}

async function main(): Promise<boolean> {
  await buildSite();
  const held = [await inspected(), await besideABuyer()].every(Boolean);
  console.log(held ? 'The market held.' : 'The market did not hold everything: see the notes.');
  return held;
}

process.exit((await main()) ? 0 : 1);

import '../../tests/support/apart.ts';
import { buildSite } from '../../api/pages/build.ts';
import { type Demo, startDemo, untilQuiet } from '../testbed/demo.ts';
import { ask } from '../testbed/people.ts';
import { onEnd, options, program, say } from '../testbed/program.ts';
import { percentile, type Result, table } from '../testbed/report.ts';
import { residentMegabytes } from '../testbed/watch.ts';
import { type Attack, attacks } from './attacks.ts';
import type { FromProbe, ToProbe } from './probe.ts';

/**
 * `bun run attack`: requests that once froze the market, only against a market it starts itself.
 * Prints how much each slowed a buyer's GET, relative to a quiet moment, and the memory used.
 * `--only 'upload|lines'` selects by name. Exits with 1 when the market did not hold.
 */
const { only } = options({ only: '' });
/** Allowed slowdown of the buyer, as a multiple of a quiet moment. */
const usual = 3;

/** Browses as a buyer during some work. */
async function measured(urls: string[], work: () => Promise<unknown>): Promise<FromProbe> {
  const answer = Promise.withResolvers<FromProbe>();
  const child = Bun.spawn([process.execPath, new URL('./probe.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: FromProbe) => answer.resolve(message),
  });
  onEnd(() => child.kill('SIGKILL'));
  child.send({ urls } satisfies ToProbe);
  await work().catch((error) => console.error(error));
  child.send({ stop: true } satisfies ToProbe);
  return answer.promise;
}

/** A buyer's addresses: the market, its data, a stall, a text page, a picture. */
async function goodUrls({ url, seller }: Demo): Promise<string[]> {
  const { text: own } = await ask(url, seller, '/api/products/mine');
  const { slots } = (await (await fetch(`${url}/api/slots`)).json()) as {
    slots: { slot_id: number; product_id: string | null; product_images: unknown }[];
  };
  // Of a seller who withdraws nothing meanwhile.
  const first = slots.find(({ product_id }) => product_id !== null && !own.includes(product_id));
  const photo = /\/media\/[^"\s,]+/.exec(JSON.stringify(first?.product_images ?? ''))?.[0];
  if (!first || !photo) throw new Error('The market has no open stall with a picture');
  return ['/', '/api/slots', `/shop/slot/${first.slot_id}`, '/fr/how-it-works', photo].map(
    (path) => `${url}${path}`,
  );
}

/** Samples a process's memory until stopped; then returns it before, at most and after. */
async function watchMemory(pid: number): Promise<() => Promise<string>> {
  const before = await residentMegabytes(pid);
  let highest = before;
  const timer = setInterval(async () => {
    highest = Math.max(highest, await residentMegabytes(pid));
  }, 100);
  return async () => {
    clearInterval(timer);
    const after = await residentMegabytes(pid);
    return `memory ${[before, Math.max(highest, after), after].map(Math.round).join(' → ')} MB`;
  };
}

/**
 * Runs an attack beside its buyer and returns its row. The reference is measured just before, since
 * the machine's load may change by the hour.
 */
async function attacked(
  demo: Demo,
  urls: string[],
  { name, run, settleMs = 0, want = usual }: Attack,
): Promise<{ result: Result; held: boolean }> {
  say(name);
  const quiet = await measured(urls, () => Bun.sleep(6000));
  const reference = percentile(quiet.milliseconds, 0.95);
  const memory = await watchMemory(demo.pid);
  let outcome = { note: 'broke off', held: false };
  const buyer = await measured(urls, async () => {
    outcome = await run(demo);
    await Bun.sleep(settleMs);
  });
  const value = percentile(buyer.milliseconds, 0.95);
  const ratio = value / reference;
  const failed = Object.entries(buyer.statuses).filter(([status]) => status !== '200');
  const note = [
    `${outcome.held ? '' : 'NOT HELD: '}${outcome.note}`,
    `worst GET ${Math.round(buyer.worst.ms)} ms (${buyer.worst.path})${failed.map(([status, times]) => `, ${status} × ${times}`).join('')}`,
    await memory(),
  ].join('; ');
  return {
    held: outcome.held,
    result: {
      ...{ name, value, unit: 'ms', reference, ratio },
      ...{ want: `ratio ≤ ${want}`, met: ratio <= want, note },
    },
  };
}

await program(async () => {
  await buildSite();
  const demo = await startDemo();
  const urls = await goodUrls(demo);
  await untilQuiet(demo);
  const rows: Awaited<ReturnType<typeof attacked>>[] = [];
  for (const attack of attacks.filter(({ name }) => new RegExp(only).test(name)))
    rows.push(await attacked(demo, urls, attack));
  console.log(
    `\nA good GET, 95th percentile, during each attack and in the quiet moment before it\n\n${table(rows.map(({ result }) => result))}\n`,
  );
  const held = rows.every((row) => row.held);
  console.log(held ? 'The market held.' : 'The market did not hold everything: see the notes.');
  return held;
});

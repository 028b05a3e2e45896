import { diceOf } from '../testbed/dice.ts';
import { openAsking } from './asking.ts';
import type { FromGenerator, Order, ToGenerator } from './order.ts';
import { openStreams } from './streams.ts';
import { openVisits } from './visits.ts';

const send = (message: FromGenerator) => process.send?.(message);

/** Random planned times in ms, between two given in seconds. */
const spread = (count: number, from: number, to: number, dice: () => number) =>
  Array.from({ length: count }, () => 1000 * (from + dice() * (to - from)));

async function run(
  order: Order,
  asking: ReturnType<typeof openAsking>,
  ended: Promise<void>,
): Promise<void> {
  const { seconds, peak, uploads, chats } = order;
  const dice = diceOf(order.seed);
  const streams = openStreams(order.home, asking, dice);
  const { visit, upload, chat, admin, uploaded } = openVisits({ order, asking, streams, dice });
  const more = Math.round((order.visits / seconds) * (peak.to - peak.from) * (peak.times - 1));
  const arrivals = [
    ...spread(order.visits, 0, seconds, dice),
    ...spread(more, peak.from, peak.to, dice),
  ].sort((a, b) => a - b);
  let visits = 0;
  asking.start();
  send({ begun: true });
  const ticking = setInterval(() => send({ open: streams.open(), visits }), 1000);
  const under = new Set<Promise<void>>();
  const begin = (act: Promise<void>) => {
    const done = act.finally(() => under.delete(done));
    under.add(done);
  };
  const others = [
    ...spread(uploads, 0, seconds, dice).map((at) => ({ at, act: () => upload(at) })),
    ...spread(chats, 0, seconds * 0.9, dice).map((at, n) => ({ at, act: () => chat(at, n) })),
  ];
  for (const { at, act } of others) begin(asking.until(at).then(act));
  begin(admin(0, seconds * 1000));
  // Visitors arrive as planned, however many are still there.
  for (const at of arrivals) {
    if (at - asking.now() > 1) await asking.until(at);
    begin(visit(at).then(() => void visits++));
  }
  while (under.size > 0) await Promise.race(under);
  await ended;
  clearInterval(ticking);
  streams.close();
  send({
    report: {
      seconds: asking.now() / 1000,
      visits,
      ...asking.report(),
      uploaded,
      lines: streams.tally,
    },
  });
}

/** The crowd, in its own process: sends everything at its planned time and keeps histograms. */
if (import.meta.main) {
  let asking: ReturnType<typeof openAsking> | undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  process.on('message', (message: ToGenerator) => {
    if ('phase' in message) asking?.enter(message.phase);
    else if ('end' in message) end();
    else {
      asking = openAsking(message.begin.home);
      run(message.begin, asking, ended).catch((error) => {
        console.error(error);
        process.exit(1);
      });
    }
  });
  // Ends with its parent.
  process.on('disconnect', () => process.exit());
}

/** The buyer's requests, in a separate process so that the attacker's work does not slow them. */
export type ToProbe = { urls: string[] } | { stop: true };
export type FromProbe = {
  milliseconds: number[];
  statuses: Record<string, number>;
  worst: { path: string; ms: number };
};

const everyMs = 40;
/** Longest wait for a GET before a reader would leave. */
const patienceMs = 30_000;

if (import.meta.main) {
  let urls: string[] = [];
  let going = true;
  process.on('message', (message: ToProbe) => {
    if ('urls' in message) urls = message.urls;
    else going = false;
  });
  // The parent is gone.
  process.on('disconnect', () => process.exit());
  const milliseconds: number[] = [];
  const statuses: Record<string, number> = {};
  let worst = { path: '', ms: 0 };
  const visit = async (url: string) => {
    const started = performance.now();
    const outcome = await fetch(url, {
      headers: { 'x-forwarded-for': '192.0.2.10' },
      signal: AbortSignal.timeout(patienceMs),
    })
      .then(async (response) => {
        await response.arrayBuffer();
        return String(response.status);
      })
      .catch(() => 'no answer');
    const ms = performance.now() - started;
    milliseconds.push(ms);
    if (ms > worst.ms) worst = { path: new URL(url).pathname, ms };
    statuses[outcome] = (statuses[outcome] ?? 0) + 1;
  };
  for (let n = 0; going; n++) {
    const url = urls[n % Math.max(1, urls.length)];
    if (url !== undefined) await visit(url);
    await Bun.sleep(everyMs);
  }
  process.send?.({ milliseconds, statuses, worst } satisfies FromProbe);
}

/**
 * A minimal proxy: polls each process for readiness and sends each request to the next ready one.
 * Never retries.
 */
export async function openFront(homes: readonly string[]) {
  let ready: string[] = [];
  let turn = 0;
  let over = false;
  const look = async () => {
    const answers = await Promise.all(
      homes.map((home) =>
        fetch(`${home}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = homes.filter((_, n) => answers[n]);
  };
  const looking = (async () => {
    while (!over) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await look();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const home = ready[turn++ % Math.max(1, ready.length)];
      if (!home) return new Response('nobody is ready', { status: 502 });
      const { pathname, search } = new URL(request.url);
      try {
        return await fetch(`${home}${pathname}${search}`, {
          method: request.method,
          headers: request.headers,
          body: request.body,
          redirect: 'manual',
          signal: request.signal,
          decompress: false,
        });
      } catch (error) {
        return new Response(String(error), { status: 502 });
      }
    },
  });
  return {
    home: `http://127.0.0.1:${server.port}`,
    ready: () => ready,
    async stop() {
      over = true;
      await looking;
      await server.stop(true);
    },
  };
}

import { relative, sep } from 'node:path';
import { type AstroInlineConfig, dev } from 'astro';
import { islandRuntime } from '../site/adapter/wake.ts';
import type { sprite } from '../site/src/ui/sprite.ts';
import { isAsset, passOn, sayAway, takeLocals } from './front.ts';

type Vite = NonNullable<AstroInlineConfig['vite']>;
type Plugin = Exclude<
  NonNullable<Vite['plugins']>[number],
  false | null | undefined | Promise<unknown> | unknown[]
>;

const root = new URL('..', import.meta.url).pathname;
/** Folders whose changes restart the API. */
const ofApi = ['api', 'bot', 'db', 'jobs', 'locales', 'site/adapter'];
/** Not the temporary files of editors. */
const source = /\.(?:ts|js|json|sql|css)$/;

type Options = {
  host: string;
  port: number;
  /** Beside localhost and addresses; any other could be a foreign page reading the sources. */
  names: string[];
  word: string;
  api: { port(): Promise<number | undefined> };
  changed(file: string): void;
};

/**
 * Vite's SIGTERM handler would end the process before API and database have stopped.
 *
 * @param kept handlers from before Vite's
 */
function keepSignals(kept: ReturnType<typeof signalsNow>): void {
  for (const listener of signalsNow())
    if (!kept.includes(listener)) process.off('SIGTERM', listener);
}

const signalsNow = () => process.listeners('SIGTERM');

/** Astro's development server on the market's port, the API behind it. */
export async function servePages({
  host,
  port,
  names,
  word,
  api,
  changed,
}: Options): Promise<{ stop(): Promise<void> }> {
  const signals = signalsNow();
  const front: Plugin = {
    name: 'marche54-front',
    configureServer(server) {
      keepSignals(signals);
      server.watcher.add(ofApi.map((folder) => `${root}${folder}`));
      server.watcher.on('all', (event, file) => {
        const path = relative(root, file).split(sep).join('/');
        if (
          !event.endsWith('Dir') &&
          source.test(path) &&
          ofApi.some((folder) => path.startsWith(`${folder}/`))
        )
          changed(path);
      });
      server.middlewares.use(async (request, response, next) => {
        const address = request.url ?? '/';
        const locals = takeLocals(request, word);
        if (locals) {
          Object.assign(request, { [Symbol.for('astro.locals')]: locals });
          return next();
        }
        if (isAsset(address)) return next();
        if (address.startsWith('/_astro/')) {
          const { sprite: drawn } = (await server.ssrLoadModule('/src/ui/sprite.ts')) as {
            sprite: typeof sprite;
          };
          const file = [islandRuntime, drawn].find(({ path }) => path === address);
          response.writeHead(file ? 200 : 404, {
            'content-type': address.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript',
            'cache-control': 'no-cache',
          });
          return response.end(file?.source);
        }
        const at = await api.port();
        if (at) passOn(request, response, at);
        else sayAway(request, response);
      });
    },
  };
  const server = await dev({
    root: `${root}site`,
    logLevel: 'warn',
    server: { host, port, allowedHosts: names },
    // There is no Markdown; its highlighter would complain about the content security policy.
    markdown: { syntaxHighlight: false },
    vite: {
      plugins: [front],
      // Not in node_modules, which a copy of the project may link.
      cacheDir: `${root}site/.astro/vite`,
      server: { strictPort: true },
      // site/astro.config.ts strips its styles on load, which pre-bundling would skip.
      optimizeDeps: { exclude: ['sonner'] },
    },
  });
  return { stop: () => server.stop() };
}

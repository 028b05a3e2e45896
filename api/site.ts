import { apiClient } from '../site/src/lib/api.ts';
import type { Pages } from './app.ts';
import { roleOf } from './core/access.ts';

type Render = (request: Request, locals: object) => Promise<Response>;

/** Loads the built site and gives its pages everything that was resolved ahead of them (architecture: "resolved once"). */
export async function loadPages(folder: URL): Promise<Pages> {
  const { render } = (await import(new URL('server/entry.mjs', folder).href)) as { render: Render };
  return async ({ request, ctx, api, theme, prefixed, path }) => {
    const { actor, services } = ctx;
    // The market's own address, whatever `Host` said: what a page makes of its address is the same for everybody.
    const address = new URL(services.env.publicUrl);
    address.pathname = path;
    address.search = new URL(request.url).search;
    return render(new Request(address, { method: request.method, headers: request.headers }), {
      language: ctx.language,
      prefixed,
      path,
      theme,
      demo: services.env.demo,
      publicUrl: services.env.publicUrl,
      requestId: ctx.requestId,
      now: ctx.now(),
      report: (error: unknown) =>
        services.reporter.report({
          source: 'server',
          kind: 'error',
          message: error instanceof Error ? error.message : String(error),
          requestId: ctx.requestId,
          page: `${request.method} ${path}`,
          extra: { error },
        }),
      viewer: { role: roleOf(actor), name: 'name' in actor ? actor.name : null, email: 'email' in actor ? actor.email : null },
      api: apiClient({ fetch: api as typeof fetch, origin: 'http://in.process' }),
    });
  };
}

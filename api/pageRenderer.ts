import { branding } from '../locales/index.ts';
import { apiClient } from '../site/src/lib/api.ts';
import { roleOf } from './core/access.ts';
import type { PageRequest, Pages } from './pages/pages.ts';
import { marketCardPath } from './sharecards/market.ts';
import { colourSheet } from './shared/brand/current.ts';
import { markPath } from './shared/brand/mark.ts';

type Render = (request: Request, locals: object) => Promise<Response>;

/** "Resolved once" (architecture), before the page renders. */
export function pageLocals({
  ctx,
  api,
  theme,
  prefixed,
  path,
  request,
  viewerUnknown,
  mark,
}: PageRequest): App.Locals {
  const { actor, services } = ctx;
  const viewer = {
    role: roleOf(actor),
    name: 'name' in actor ? actor.name : null,
    email: 'email' in actor ? actor.email : null,
  };
  return {
    language: ctx.language,
    branding: branding(),
    colourSheet: colourSheet()?.path,
    ownMark: { page: markPath('96'), apple: markPath('180') },
    marketCard: marketCardPath(ctx.language),
    prefixed,
    path,
    theme,
    demo: services.env.demo,
    google: services.google !== undefined,
    chatNames: {
      TELEGRAM_BOT_NAME: services.env.TELEGRAM_BOT_NAME,
      WHATSAPP_NUMBER: services.env.WHATSAPP_NUMBER,
    },
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
    viewerUnknown,
    mark,
    viewer,
    publicViewer: viewer,
    api: apiClient({ fetch: api as typeof fetch, origin: 'http://in.process' }),
  };
}

export async function loadPages(folder: URL): Promise<Pages> {
  const { render } = (await import(new URL('server/entry.mjs', folder).href)) as { render: Render };
  return async (page) => {
    const { path, request, ctx } = page;
    // Not `Host`: links in a page must be the same for everyone.
    const address = new URL(ctx.services.env.publicUrl);
    address.pathname = path;
    address.search = new URL(request.url).search;
    return render(
      new Request(address, { method: request.method, headers: request.headers }),
      pageLocals(page),
    );
  };
}

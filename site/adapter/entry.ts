import { createApp } from 'astro/app/entrypoint';

const app = createApp({ streaming: false });

/** Renders a page with what the server already resolved: language, theme, who asks, and the in-process API (see env.d.ts). */
export async function render(request: Request, locals: App.Locals): Promise<Response> {
  const routeData = app.match(request);
  return app.render(request, { locals, ...(routeData ? { routeData } : {}) });
}

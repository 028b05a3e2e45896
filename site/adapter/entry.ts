import { createApp } from 'astro/app/entrypoint';
import { calmed, trimmedPolicy } from './wake.ts';

const app = createApp({ streaming: false });

/**
 * Renders a page with the locals that the server resolved (env.d.ts). Throws when the error page
 * fails too; Astro's own answer would be an empty 500.
 */
export async function render(request: Request, locals: App.Locals): Promise<Response> {
  const routeData = app.match(request);
  let first: { error: unknown } | undefined;
  const report = (error: unknown) => {
    first ??= { error };
    locals.report(error);
  };
  const response = await app.render(request, {
    locals: { ...locals, report },
    ...(routeData ? { routeData } : {}),
  });
  if (!response.headers.get('content-type')?.startsWith('text/html')) {
    if (response.status === 500)
      throw new Error('The page failed, and the error page too', { cause: first?.error });
    return response;
  }
  const html = calmed(await response.text());
  const headers = new Headers(response.headers);
  const policy = headers.get('content-security-policy');
  if (policy) headers.set('content-security-policy', trimmedPolicy(policy, html));
  return new Response(html, { status: response.status, headers });
}

import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Db } from '../db/client.ts';
import { isLanguage, type Language } from '../locales/languages.ts';
import { alertForms } from './alerts/routes.ts';
import { apiRoutes, type Broadcasts } from './apiRoutes.ts';
import { actorOf } from './auth/actor.ts';
import { type Auth, createAuth } from './auth/auth.ts';
import { authMails } from './auth/mails.ts';
import { hashingFor } from './auth/passwords/hashing.ts';
import { connectForms } from './connect/forms.ts';
import { everyone } from './core/access.ts';
import type { Ctx, Services } from './core/context.ts';
import { demoForms } from './demo/forms.ts';
import { openApi } from './docs/openapi.ts';
import { docsRoutes } from './docs/routes.ts';
import { favouriteForms } from './favourites/routes.ts';
import { formRoutes } from './forms.ts';
import { overdue, refusalOf } from './http/answers.ts';
import { readVisitor } from './http/cookies.ts';
import { withDeadline } from './http/deadline.ts';
import { keepPace, limitBody, takeTurns } from './http/gate.ts';
import { languageOf } from './http/language.ts';
import { metered, routeLabel } from './http/metered.ts';
import { isOwnOrigin } from './http/origin.ts';
import { requireReadableAddress } from './http/readable.ts';
import { refused } from './http/refused.ts';
import { type AppEnv, route, undeclaredRoutes } from './http/route.ts';
import { keepMark } from './http/sessionMark.ts';
import { markFileRoutes } from './mark/routes.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { offlineRoutes } from './pages/offlineRoutes.ts';
import { type Pages, renderPage } from './pages/pages.ts';
import { paymentForms } from './payments/routes.ts';
import { reportForms } from './reports/forms.ts';
import { shareCardRoutes } from './shareCardRoutes.ts';
import { isCardKey } from './sharecards/cards.ts';
import { Refusal } from './shared/errors.ts';
import { sitemapRoutes } from './sitemap/routes.ts';
import { health } from './upkeep/ready.ts';

export type AppOptions = Broadcasts & {
  db: Db;
  services: Services;
  now: () => Date;
  pages?: Pages;
  webhooks?: Hono<AppEnv>;
  /**
   * Waits until time lost in an outage is given back (decision 055), so no one reads end times
   * about to move.
   */
  settled?: () => Promise<void>;
};

type Host = AppOptions & { auth: Auth; app: Hono<AppEnv> };

/**
 * API, media, forms and, if given, pages and the bot's routes. Independent of Bun's server
 * (architecture).
 */
export function createApp(options: AppOptions) {
  const { db, services, now, webhooks } = options;
  const auth = createAuth({
    db,
    now,
    log: services.log,
    secret: services.secret,
    baseURL: services.env.publicUrl,
    mails: authMails(() => ({ db, now, services })),
  });
  const api = apiRoutes(auth, options);
  const docs = docsRoutes(() => openApi(app, services.env));
  const documented = new Hono<AppEnv>().route('/', api).route('/', docs);

  const app = new Hono<AppEnv>();
  const host: Host = { ...options, auth, app };
  app.get(
    '/healthz',
    route({ who: everyone, tag: 'operation', summary: 'The process answers' }),
    (c) => c.json({ status: 'ok' }),
  );
  addGates(host);
  app.get(
    '/readyz',
    route({ who: everyone, tag: 'operation', summary: 'Database and storage answer' }),
    async (c) => {
      const report = await health(c.get('ctx'));
      return c.json(report, report.ready ? 200 : 503);
    },
  );
  app.route('/', metricsRoutes);
  app.use('/api/*', async (c, next) => {
    c.header('cache-control', 'no-store');
    return next();
  });
  app.route('/api', documented);
  app.route('/', shareCardRoutes);
  app.route('/', markFileRoutes);
  app.get(
    '/media/*',
    route({ who: everyone, tag: 'market', summary: 'A stored photo' }),
    storedPhoto,
  );
  app.route('/', sitemapRoutes);
  app.route('/', offlineRoutes);
  app.route('/', formRoutes(auth));
  app.route('/', reportForms);
  app.route('/', favouriteForms);
  app.route('/', alertForms);
  app.route('/', paymentForms);
  app.route('/', connectForms);
  app.route('/', demoForms);
  if (webhooks) app.route('/bot', webhooks);
  app.notFound((c) => pageOr404(host, c));
  app.onError((error, c) => answerError(host, error, c));

  const inTime = withDeadline(
    app.fetch,
    lateAnswers(host).fetch,
    services.env.REQUEST_DEADLINE_SECONDS,
  );
  app.fetch = metered(inTime, services.metrics, (method, address) =>
    routeLabel(app, method, address, isLanguage),
  );

  const undeclared = undeclaredRoutes(app);
  if (undeclared.length > 0)
    throw new Error(`These routes do not declare who may call them: ${undeclared.join(', ')}`);
  return { app, auth, api };
}

export type Api = ReturnType<typeof createApp>['api'];
export type App = ReturnType<typeof createApp>['app'];

/** Adds the middleware of every request; cheap refusals come before the session is read. */
function addGates(host: Host): void {
  const { app, services, now, settled } = host;
  app.use(async (c, next) => {
    if (settled && !c.env?.ctx) await settled();
    return next();
  });
  app.use(securityHeaders);
  app.use(keepPace({ services, now }));
  app.use(limitBody);
  app.use(takeTurns({ services, now }));
  app.use(async (c, next) => {
    c.set('ctx', c.env?.ctx ?? (await resolveContext(host, c)));
    await hashingFor({ lane: c.get('ctx').client.addressHash, signal: c.req.raw.signal }, next);
    c.header('x-request-id', c.get('ctx').requestId);
    // In-process requests of a page leave the cookie to the outer one.
    if (!c.env?.ctx) keepMark(c);
  });
  app.use(compress());
  app.use(async (c, next) => {
    requireReadableAddress(c.req.url);
    await next();
  });
  app.use(refuseForeignOrigin);
}

async function storedPhoto(c: Context<AppEnv>): Promise<Response> {
  const { storage } = c.get('ctx').services;
  const key = c.req.path.slice('/media/'.length);
  const bytes = isCardKey(key) ? undefined : await storage.get(key);
  if (!bytes) throw new Refusal('notFound');
  return c.body(bytes, 200, {
    'content-type': c.req.path.endsWith('.avif') ? 'image/avif' : 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'",
  });
}

async function pageOr404(host: Host, c: Context<AppEnv>): Promise<Response> {
  const { app, pages, broadcast, connectBroadcast, adminBroadcast } = host;
  if (isApi(c.req.path))
    throw new Refusal(otherMethodExists(app, c) ? 'methodNotAllowed' : 'notFound');
  if (!pages || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) throw new Refusal('notFound');
  return renderPage(c, { pages, fetch: app.fetch, broadcast, connectBroadcast, adminBroadcast });
}

async function answerError(host: Host, error: Error, c: Context<AppEnv>): Promise<Response> {
  const ctx = c.get('ctx') as Ctx | undefined;
  const refusal = refusalOf(error, c.req.method);
  const requestId = ctx?.requestId ?? randomUUID();
  // A flood of sign-in attempts must not fill the error log.
  if (refusal.code !== 'auth.busy' && (!(error instanceof Refusal) || refusal.status >= 500))
    reportError(
      host,
      c,
      error instanceof Refusal && error.cause instanceof Error ? error.cause : error,
      requestId,
    );
  for (const cookie of refusal.cookies) c.header('set-cookie', cookie, { append: true });
  const answer = refused(refusal, asker(host, c, ctx?.language ?? languageOf(c), requestId));
  return c.body(await answer.text(), answer);
}

function reportError({ services }: Host, c: Context, cause: unknown, requestId: string): void {
  services.reporter.report({
    source: 'server',
    kind: 'error',
    message: cause instanceof Error ? cause.message : String(cause),
    requestId,
    page: `${c.req.method} ${c.req.path}`,
    extra: { error: cause },
  });
}

const isPage = ({ app, pages }: Host, c: Context): boolean =>
  pages !== undefined &&
  ['GET', 'HEAD'].includes(c.req.method) &&
  !isApi(c.req.path) &&
  !routesOf(app, 'GET', c.req.path);

/** Request data that picks the error response's format. */
function asker(host: Host, c: Context, language: Language, requestId: string) {
  const accept = c.req.header('accept') ?? '*/*';
  return {
    path: c.req.path,
    accept: isPage(host, c) && accept.includes('*/*') ? 'text/html' : accept,
    language,
    requestId,
  };
}

/**
 * When the database is away, a page is rendered for a visitor and says so if it depends on the
 * viewer (decision 024).
 */
async function whoAsks(
  host: Host,
  c: Context<AppEnv>,
  requestId: string,
): ReturnType<typeof actorOf> {
  try {
    return await actorOf(host.auth, host.db, c.req.raw.headers);
  } catch (error) {
    if (!isPage(host, c) || refusalOf(error, c.req.method).status !== 503) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    reportError(host, c, cause, requestId);
    c.set('viewerUnknown', true);
    return { actor: { kind: 'visitor' }, cookies: [] };
  }
}

async function resolveContext(host: Host, c: Context<AppEnv>): Promise<Ctx> {
  const { db, services, now } = host;
  const requestId = randomUUID();
  const { actor, cookies } = await whoAsks(host, c, requestId);
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
  return {
    db,
    actor,
    via: 'web',
    now,
    language: languageOf(c),
    requestId,
    client: {
      ...(await readVisitor(c, services.secret)),
      addressHash: c.get('addressHash'),
      userAgent: c.req.raw.headers.get('user-agent') ?? '',
    },
    services,
  };
}

/** Answers requests that passed their deadline. */
const lateAnswers = (host: Host): Hono<AppEnv> =>
  new Hono<AppEnv>().all('*', async (c) => {
    const requestId = randomUUID();
    host.services.log.warn('A request passed its deadline', {
      method: c.req.method,
      path: c.req.path,
      requestId,
    });
    await securityHeaders(c, async () => {
      c.res = refused(overdue(c.req.method), asker(host, c, languageOf(c), requestId));
      c.header('x-request-id', requestId);
    });
    return c.res;
  });

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

async function securityHeaders(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  c.header('x-content-type-options', 'nosniff');
  c.header('referrer-policy', 'strict-origin-when-cross-origin');
  c.header('x-frame-options', 'DENY');
  c.header('permissions-policy', 'camera=(self), geolocation=(), microphone=()');
}

/** Second barrier after SameSite: a form on another site must not act with this site's cookies. */
async function refuseForeignOrigin(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) && !c.env?.ctx) {
    const origin = c.req.header('origin');
    if (origin !== undefined && !isOwnOrigin(origin, c.get('ctx').services.env, c.req.raw.headers))
      throw new Refusal('originRefused');
    if (c.req.header('sec-fetch-site') === 'cross-site') throw new Refusal('originRefused');
  }
  await next();
}

function otherMethodExists(app: Hono<AppEnv>, c: Context): boolean {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].some((method) =>
    routesOf(app, method, c.req.path),
  );
}

const routesOf = (app: Hono<AppEnv>, method: string, path: string): boolean =>
  app.router.match(method, path)[0].some(([[, entry]]) => entry.method === method);

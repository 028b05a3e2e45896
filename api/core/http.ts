import { zValidator } from '@hono/zod-validator';
import type { Context, Hono, Input, MiddlewareHandler, ValidationTargets } from 'hono';
import { describeRoute, resolver, uniqueSymbol } from 'hono-openapi';
import type * as core from 'zod/v4/core';
import { safeParseAsync } from 'zod/v4/core';
import enValidation from '../../locales/en/validation.json';
import { admit, everyone, type Role } from './access.ts';
import type { Ctx } from './context.ts';
import { Refusal } from './errors.ts';
import { problemsOf } from './issues.ts';
import { requireReadable } from './readable.ts';

/** Keeps a request's line open for so many seconds without an answer; without it the server's own timeout holds. */
export type Hold = (seconds: number) => void;

/** Hono's environment here: the context is resolved ahead of every route; a page hands its own in, so no header can forge one. */
export type AppEnv = {
  Bindings: { ctx?: Ctx; address?: string; forPageCache?: boolean; hold?: Hold };
  Variables: { ctx: Ctx; addressHash: string; viewerUnknown?: boolean };
};

/** How a machine proves itself to a route; the names of the security schemes in the OpenAPI document. */
export type Proof = 'metricsToken' | 'telegramSecret' | 'whatsappToken' | 'whatsappSignature';

const declared = Symbol('declared');
type Declaration = {
  /** The roles that may call it; everyone else is refused before anything is parsed. */
  who: readonly Role[];
  /** The secret that the route's own handler asks for: its callers are machines without a session. */
  proof?: Proof;
  tag: 'market' | 'accounts' | 'selling' | 'contact' | 'connect' | 'admin' | 'operation';
  summary: string;
  /** The answer's schema, for the OpenAPI document. */
  answer?: core.$ZodType;
  status?: 200 | 201 | 202;
  /** Opening this address by GET does something, so HEAD is answered without the handler: link checkers ask that way. */
  acts?: boolean;
};

/** Declares a route: who may call it, and its line in the OpenAPI document. Every route begins with it (see {@link undeclaredRoutes}). */
export function route({
  who,
  proof,
  tag,
  summary,
  answer,
  status = 200,
  acts = false,
}: Declaration): MiddlewareHandler<AppEnv> {
  const check: MiddlewareHandler<AppEnv> = async (c, next) => {
    // /healthz stands ahead of the context: it must answer while the database is away.
    if (who !== everyone) admit(c.get('ctx').actor, who);
    if (acts && c.req.method === 'HEAD') return c.body(null, 204);
    await next();
  };
  const described = describeRoute({
    tags: [tag],
    summary,
    description: `Allowed: ${who.join(', ')}.`,
    responses: {
      [status]: {
        description: 'Done',
        ...(answer
          ? { content: { 'application/json': { schema: resolver(answer as never) } } }
          : {}),
      },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  });
  const marks = described as unknown as Record<symbol, unknown>;
  return Object.assign(check, { [declared]: { who, proof }, [uniqueSymbol]: marks[uniqueSymbol] });
}

type Access = { who: readonly Role[]; proof: Proof | undefined };

/** Roles and secret that a route's middleware declares, or undefined when the middleware is no declaration. */
export function accessOf(handler: unknown): Access | undefined {
  return (handler as Record<symbol, Access | undefined>)[declared];
}

/** The roles of {@link accessOf}. */
export const declarationOf = (handler: unknown): readonly Role[] | undefined =>
  accessOf(handler)?.who;

const isValidationKey = (key: string) => Object.hasOwn(enValidation, key);

/**
 * Parses one part of a request with the room's schema. Wrong input is refused with a sentence for each field in the language of
 * the request; zod-validator's own English answer never leaves the server.
 */
export function valid<
  T extends keyof ValidationTargets,
  S extends core.$ZodType,
  I extends Input = { in: { [K in T]: core.input<S> }; out: { [K in T]: core.output<S> } },
>(target: T, schema: S): MiddlewareHandler<AppEnv, string, I> {
  const parse = zValidator(
    target,
    schema,
    (result) => {
      if (!result.success)
        throw new Refusal(
          'validation',
          {},
          problemsOf(result.error.issues as never, isValidationKey),
        );
    },
    // With the input reported, a number written as text is told apart from a field left empty.
    {
      validationFunction: (given, value) => {
        // Every header is handed over, and HTTP itself keeps NUL out of them.
        if (target !== 'header') requireReadable(value);
        return safeParseAsync(given as core.$ZodType, value, { reportInput: true }) as never;
      },
    },
  );
  const described = { target, ...resolver(schema as never) };
  const guarded: MiddlewareHandler = async (c, next) => {
    if (target === 'json') await requireJson(c);
    if (target === 'form') await requireForm(c);
    return parse(c as never, next);
  };
  return Object.assign(guarded, { [uniqueSymbol]: described }) as never;
}

async function requireJson(c: Context): Promise<void> {
  if (!/^application\/([a-z.+-]+\+)?json\b/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal('malformedJson');
  if (nestsDeeply(await c.req.text())) throw new Refusal('malformedJson');
  try {
    await c.req.json();
  } catch {
    throw new Refusal('malformedJson');
  }
}

/** No schema of the product is nested deeper than four; a parser takes tens of milliseconds for 16,000 brackets. */
const deepest = 20;

/** Whether a text of JSON opens more objects and lists inside each other than any schema has. */
export function nestsDeeply(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at++;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '[' || letter === '{') {
      if (++depth > deepest) return true;
    } else if (letter === ']' || letter === '}') depth--;
  }
  return false;
}

/** Reads the fields ahead of the library, whose own refusal of a broken form would count as a bug of ours. */
async function requireForm(c: Context): Promise<void> {
  try {
    await c.req.parseBody();
  } catch {
    throw new Refusal('malformedJson');
  }
}

/** Routes without a declaration of who may call them; the app refuses to start with any (default deny). */
export function undeclaredRoutes(app: Hono<AppEnv>): string[] {
  const declaredPaths = new Set(
    app.routes
      .filter((entry) => declarationOf(entry.handler))
      .map((entry) => `${entry.method} ${entry.path}`),
  );
  return [
    ...new Set(
      app.routes
        .filter((entry) => entry.method !== 'ALL')
        .map((entry) => `${entry.method} ${entry.path}`),
    ),
  ].filter((name) => !declaredPaths.has(name));
}

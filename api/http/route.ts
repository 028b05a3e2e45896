import { zValidator } from '@hono/zod-validator';
import type { Context, Hono, Input, MiddlewareHandler, ValidationTargets } from 'hono';
import { describeRoute, resolver, uniqueSymbol } from 'hono-openapi';
import type * as core from 'zod/v4/core';
import { safeParseAsync } from 'zod/v4/core';
import enValidation from '../../locales/en/validation.json';
import { admit, everyone, type Role } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { problemsOf } from '../shared/issues.ts';
import { requireReadable } from './readable.ts';

/** Keeps a connection open for so many seconds without an answer. */
type Hold = (seconds: number) => void;

/** In-process calls pass their context here, where no header can forge one. */
export type AppEnv = {
  Bindings: { ctx?: Ctx; address?: string; forPageCache?: boolean; hold?: Hold };
  Variables: { ctx: Ctx; addressHash: string; viewerUnknown?: boolean };
};

/** Machine authentication; also the names of the OpenAPI security schemes. */
export type Proof = 'metricsToken' | 'telegramSecret' | 'whatsappToken' | 'whatsappSignature';

const declared = Symbol('declared');
type Declaration = {
  /** Others are refused before anything is parsed. */
  who: readonly Role[];
  /** The secret that the handler verifies, for machines. */
  proof?: Proof;
  tag: 'market' | 'accounts' | 'selling' | 'contact' | 'connect' | 'admin' | 'operation';
  summary: string;
  answer?: core.$ZodType;
  status?: 200 | 201 | 202;
  /** GET changes something, so HEAD skips the handler: link checkers use HEAD. */
  acts?: boolean;
};

/**
 * Declares a route's roles and OpenAPI entry; every route begins with it ({@link
 * undeclaredRoutes}).
 */
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
    // /healthz has no context: it must answer without a database.
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

export function accessOf(handler: unknown): Access | undefined {
  return (handler as Record<symbol, Access | undefined>)[declared];
}

export const declarationOf = (handler: unknown): readonly Role[] | undefined =>
  accessOf(handler)?.who;

const isValidationKey = (key: string) => Object.hasOwn(enValidation, key);

/**
 * Parses part of a request. Refuses `validation` with a sentence per field in the request's
 * language; zod-validator's English answer is never sent.
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
    // `reportInput` tells a number written as text from an empty field.
    {
      validationFunction: (given, value) => {
        // HTTP itself excludes NUL from headers.
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

/** Schemas nest at most four deep; 16,000 brackets take a parser tens of milliseconds. */
const deepest = 20;

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

/** The library's own error for a broken form would count as a bug. */
async function requireForm(c: Context): Promise<void> {
  try {
    await c.req.parseBody();
  } catch {
    throw new Refusal('malformedJson');
  }
}

/** Routes without declared roles; the app refuses to start with any (default deny). */
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

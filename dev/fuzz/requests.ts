import fc from 'fast-check';
import type { OpenApi, Operation } from '../../api/docs/openapi.ts';
import { specially } from './chats.ts';
import { escaped, type Input, type Who, whoever } from './input.ts';
import { nastyHeader, nastyPiece } from './nasty.ts';
import { oddInput, pageInput } from './pages.ts';
import type { Pools } from './testbed.ts';

import { anyOf, bodyOf, mood, nastyOf } from './values.ts';

function operationInput(
  method: string,
  path: string,
  operation: Operation,
  pools: Pools,
  photo: Uint8Array,
): fc.Arbitrary<Input> {
  const parameters = operation.parameters ?? [];
  const allowed = /^Allowed: (.*)\.$/.exec(operation.description)?.[1]?.split(', ') ?? [];
  // Mostly an allowed caller: a refused one never reaches the verb.
  const may = whoever.filter((who) => allowed.includes(who));
  const who = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Who>(...(may.length ? may : (['visitor'] as const))) },
    { weight: 1, arbitrary: fc.constantFrom(...whoever) },
  );
  return mood.chain((feeling) => {
    const nasty = nastyOf[feeling];
    const given = (where: string) =>
      fc.record(
        Object.fromEntries(
          parameters
            .filter((one) => one.in === where)
            .map((one) => [
              one.name,
              anyOf(
                one.schema,
                one.name,
                where === 'path' ? (/\{slotId\}/.test(path) ? 'path' : path) : where,
                pools,
                nasty,
              ),
            ]),
        ),
        {
          requiredKeys:
            where === 'path'
              ? undefined
              : parameters
                  .filter((one) => one.in === where && one.required)
                  .map(({ name }) => name),
        } as never,
      ) as fc.Arbitrary<Record<string, unknown>>;
    const piece =
      nasty === 0
        ? fc.constant(null)
        : fc.oneof(
            { weight: 12, arbitrary: fc.constant(null) },
            { weight: nasty, arbitrary: nastyPiece },
          );
    const pieces = fc.array(piece, { minLength: 2, maxLength: 2 });
    const verb =
      feeling === 'wild'
        ? fc.oneof(
            { weight: 8, arbitrary: fc.constant(method) },
            {
              weight: 1,
              arbitrary: fc.constantFrom(
                'HEAD',
                'GET',
                'POST',
                'PUT',
                'PATCH',
                'DELETE',
                'OPTIONS',
              ),
            },
          )
        : fc.constant(method);
    const headers = fc.array(nastyHeader, {
      maxLength: feeling === 'valid' ? 0 : feeling === 'near' ? 1 : 3,
    });
    return fc
      .record({
        who,
        verb,
        path: given('path'),
        query: given('query'),
        header: given('header'),
        pieces,
        headers,
        body: bodyOf(operation, path, pools, photo, feeling),
      })
      .map((made) => {
        let testbed = 0;
        const filled = path.replace(
          /\{(\w+)\}/g,
          (_, name: string) => made.pieces[testbed++] ?? escaped(made.path[name]),
        );
        const query = Object.entries(made.query)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
        const sent = Object.entries(made.header).map(([name, value]): [string, string] => [
          name,
          escaped(value).slice(0, 300),
        ]);
        const type: [string, string][] = made.body?.type ? [['content-type', made.body.type]] : [];
        return {
          name: `${method} ${path}`,
          who: made.who,
          method: made.verb,
          target: filled + (query.length ? `?${query.join('&')}` : ''),
          headers: [...type, ...sent, ...made.headers],
          body: made.verb === 'GET' || made.verb === 'HEAD' ? undefined : made.body?.bytes,
        };
      });
  });
}

/**
 * Routes that take half a second (better-auth, bots) or measure the whole storage: called less
 * often.
 */
const slow =
  /resend-verification|forgot-password|sign-up|sign-in|second-factor|account\/(?:password|leave|export|email)|demo\/(?:chat|oidc)|\/admin\/(health|cleanup)|openapi|\/api\/docs/;
/** Ends a session or the run's own work: called seldom. */
const rare = /sign-out|end-others|DELETE \/api\/admin\/sellers/;

type Weighted = { name: string; weight: number; arbitrary: fc.Arbitrary<Input> };

/** Requests of each operation, from the document: new routes are included by themselves. */
export function operationInputs(document: OpenApi, pools: Pools, photo: Uint8Array): Weighted[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const arbitrary = specially(
        name,
        operationInput(method.toUpperCase(), path, operation, pools, photo),
      );
      return { name, weight: rare.test(name) ? 1 : slow.test(name) ? 2 : 10, arbitrary };
    }),
  );
}

export const anyInput = (operations: readonly Weighted[], pools: Pools): fc.Arbitrary<Input> =>
  fc.oneof(
    ...operations,
    { weight: 150, arbitrary: pageInput(pools) },
    { weight: 40, arbitrary: oddInput },
  );

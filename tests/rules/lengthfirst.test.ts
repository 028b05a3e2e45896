import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { longest } from '../../api/shared/clean.ts';
import { atMost, given } from '../../api/shared/fields.ts';
import { longTexts } from '../../dev/fuzz/longTexts.ts';

/** Checks and transforms of user text run only after a length limit has passed (decision 060). */
type Def = {
  type: string;
  in?: z.ZodMiniType;
  out?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  element?: z.ZodMiniType;
  valueType?: z.ZodMiniType;
  shape?: Record<string, z.ZodMiniType>;
  options?: z.ZodMiniType[];
  checks?: {
    _zod: { def: { check?: string; maximum?: number; fn?: (value: unknown) => unknown } };
  }[];
  transform?: (value: unknown, context: unknown) => unknown;
};
/** A transform is no schema of a request: the pipe around it calls it. */
const takesText = (schema: z.ZodMiniType): boolean => {
  const { type, in: input } = defOf(schema);
  return type !== 'transform' && (!input || takesText(input));
};
/** Some end in a space, which trimming changes. The proof `fuzz` sends all of them. */
const few = longTexts.filter((_, order) => order % 16 < 2);
const defOf = (schema: z.ZodMiniType): Def => schema._zod.def as unknown as Def;

/** Functions of a schema that were called with text above its length limit. */
function seenBy(name: string, schema: z.ZodMiniType): string[] {
  const findings = new Set<string>();
  const watched = new Set<z.ZodMiniType>();
  const spy =
    (place: string, limit: number, called: (...all: never[]) => unknown) =>
    (value: unknown, ...rest: unknown[]) => {
      const result = (called as (...all: unknown[]) => unknown)(value, ...rest);
      // A transform that returns its input leaves the check to the next length limit.
      // Limits count characters, of which an emoji is one.
      if (typeof value === 'string' && Array.from(value).length > limit && result !== value)
        findings.add(`${place} is called with more than ${limit} characters`);
      return result;
    };
  const limitOf = (one: z.ZodMiniType): number => {
    const { checks = [], out, innerType } = defOf(one);
    const own = checks.flatMap(({ _zod: { def } }) =>
      def.check === 'max_length' ? [def.maximum ?? longest] : [],
    );
    return Math.min(
      longest,
      ...own,
      ...[out, innerType].flatMap((inner) => (inner ? [limitOf(inner)] : [])),
    );
  };
  function watch(one: z.ZodMiniType, place: string): void {
    if (watched.has(one)) return;
    watched.add(one);
    const def = defOf(one);
    for (const { _zod } of def.checks ?? [])
      if (_zod.def.fn) _zod.def.fn = spy(`a check of ${place}`, limitOf(one), _zod.def.fn);
    if (def.transform) def.transform = spy(`a transform of ${place}`, longest, def.transform);
    for (const inner of [
      def.in,
      def.out,
      def.innerType,
      def.element,
      def.valueType,
      ...(def.options ?? []),
    ])
      if (inner) watch(inner, place);
    for (const [key, inner] of Object.entries(def.shape ?? {})) watch(inner, `${place}.${key}`);
  }
  watch(schema, name);
  for (const text of few)
    for (const one of [...watched].filter(takesText))
      for (const value of [text, [text]]) z.safeParse(one, value);
  return [...findings];
}

const modules = import.meta.glob<Record<string, unknown>>(
  ['../../api/**/schema.ts', '../../api/shared/fields.ts', '../../api/shared/paging.ts'],
  { eager: true },
);
const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value;
/** Settings are a table of schemas. */
const schemasIn = (value: unknown): z.ZodMiniType[] =>
  isSchema(value)
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap((inner) =>
          isSchema(inner)
            ? [inner]
            : isSchema((inner as { schema?: unknown } | null)?.schema)
              ? [(inner as { schema: z.ZodMiniType }).schema]
              : [],
        )
      : [];

describe('a check or transform of a text', () => {
  test('is not run in any schema of the API on a text that is too long', () => {
    const schemas = Object.entries(modules).flatMap(([file, names]) =>
      Object.entries(names).flatMap(([name, value]) =>
        schemasIn(value).map(
          (schema) => [`${file.replace(/^.*api\//, '')} ${name}`, schema] as const,
        ),
      ),
    );
    expect(schemas.length).toBeGreaterThan(80);
    expect(schemas.flatMap(([name, schema]) => seenBy(name, schema))).toEqual([]);
  });

  test('is seen here where it is', () => {
    const refined = (schema: z.ZodMiniType<string>) =>
      schema.check(z.refine((text) => text !== 'a'));
    expect(seenBy('x', refined(z.string().check(z.maxLength(100))))).toHaveLength(1);
    expect(seenBy('x', refined(z.string()))).toHaveLength(1);
    expect(
      seenBy(
        'x',
        z.pipe(
          z.string(),
          z.transform((text) => text.trim()),
        ),
      ),
    ).toHaveLength(1);
    expect(seenBy('x', refined(z.string().check(atMost(100))))).toEqual([]);
    expect(
      seenBy(
        'x',
        z.pipe(
          given(100),
          z.transform((text) => text.trim()),
        ),
      ),
    ).toEqual([]);
  });

  test('is told of by the limit of its field', () => {
    const field = z.pipe(
      given(100),
      z.transform((text) => text.trim()),
    );
    expect(field.safeParse('x'.repeat(longest + 1)).error?.issues).toMatchObject([
      { code: 'too_big', maximum: 100 },
    ]);
  });
});

import type { JsonSchema } from './openapi.ts';

export type Field = { name: string; type: string; required: boolean; rules: string[] };

const uuidPattern = /^\^\(\[0-9a-fA-F\]\{8\}/;

/** Describes a type: `text`, `whole number`, `one of a, b`, `list of …`. */
export function typeOf(schema: JsonSchema): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === 'string') return schema.format ?? 'text';
  return (
    {
      integer: 'whole number',
      number: 'number',
      boolean: 'true or false',
      object: 'object',
      null: 'null',
    }[schema.type ?? ''] ?? 'anything'
  );
}

const between = (min: number | undefined, max: number | undefined, unit: string): string[] => {
  if (min === undefined && max === undefined) return [];
  if (min === undefined) return [`at most ${max}${unit}`];
  return [max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`];
};

export function rulesOf(schema: JsonSchema): string[] {
  const safe = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;
  return [
    ...between(schema.minLength, schema.maxLength, ' characters'),
    ...between(safe(schema.minimum), safe(schema.maximum), ''),
    ...between(schema.minItems, schema.maxItems, ' entries'),
    ...(schema.pattern && !schema.format && !uuidPattern.test(schema.pattern)
      ? [`matches ${schema.pattern}`]
      : []),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless given`]),
  ];
}

/** Nested fields appear by path: `name.en`, `images[].key`. */
export function fieldsOf(schema: JsonSchema, path = ''): Field[] {
  const options = schema.anyOf ?? schema.oneOf;
  if (options && !schema.properties) return options.flatMap((option) => fieldsOf(option, path));
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = path + key;
    const inner = value.properties
      ? fieldsOf(value, `${name}.`)
      : value.items?.properties
        ? fieldsOf(value.items, `${name}[].`)
        : [];
    return [
      {
        name,
        type: typeOf(value),
        required: schema.required?.includes(key) ?? false,
        rules: rulesOf(value),
      },
      ...inner,
    ];
  });
}

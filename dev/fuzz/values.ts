import fc from 'fast-check';
import type { JsonSchema, Operation } from '../../api/docs/openapi.ts';
import { ownVersion } from '../../api/legal/version.ts';
import { slotCount } from '../../api/shared/slots.ts';
import { password } from '../testbed/people.ts';
import { said } from './chats.ts';
import { type Body, one } from './input.ts';
import { days, moments, nastyValue, texts } from './nasty.ts';
import type { Pools } from './testbed.ts';

/** Weight of invalid values by mood, against 12. */
type Mood = 'valid' | 'near' | 'wild';
export const nastyOf: Record<Mood, number> = { valid: 0, near: 1, wild: 6 };
export const mood = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Mood>('valid') },
  { weight: 4, arbitrary: fc.constant<Mood>('near') },
  { weight: 2, arbitrary: fc.constant<Mood>('wild') },
);
const encoder = new TextEncoder();
const words = fc.constantFrom(
  'Samsung Galaxy A14',
  'Un vélo presque neuf, à voir',
  '10 mangues bien mûres 🥭',
  'Sold by « Ngo & fils »',
  'ⵜⴰⵎⴰⵣⵉⵖⵜ العربية 中文字',
);

/** Invented cursors of a feed. */
const [id, dashes] = ['00000000-0000-4000-8000-000000000000', '-'.repeat(36)];
const cursors = [
  undefined,
  `1795000000000.${id}`,
  `9999999999999999.${id}`,
  `99999999999999.${id}`,
  `1.${dashes}`,
  'x',
];

/** The meaning of a known name, so that a valid value refers to something that exists. */
function byName(
  { type, enum: values, const: value }: JsonSchema,
  name: string,
  place: string,
  pools: Pools,
): fc.Arbitrary<unknown> | undefined {
  // Must match the words, and most are in English.
  if (name === 'writtenIn') return fc.constantFrom(undefined, 'en');
  if (values || value !== undefined || type === 'object') return undefined;
  if (/password/i.test(name)) return fc.constantFrom('a wrong password', password);
  if (name === 'email')
    return fc.constantFrom(
      'nobody@people.example.test',
      'other1@people.example.test',
      'seller@people.example.test',
      'new@people.example.test',
    );
  if (/whatsapp/i.test(name)) return fc.constant('+237 699 00 12 34');
  // The document lacks the limits of cleaned texts and of some numbers: it describes the input
  // before cleaning.
  if (
    /^(en|fr|name|title|sellerName|sellerLocation|location|city|region|businessName|reason|resolution|note|subject|message|search)$/.test(
      name,
    )
  )
    return words;
  if (name === 'durationHours') return fc.constantFrom(24, 48, 72, 96, 120);
  if (name === 'price' && type !== 'string') return fc.integer({ min: 100, max: 10_000_000 });
  if (name === 'agreed') return fc.constant(ownVersion.id);
  if (name === 'next') return fc.constantFrom(undefined, '/account');
  if (name === 'idempotency-key')
    return fc.string({ unit: fc.constantFrom(...'abcdef0123456789'), minLength: 8, maxLength: 20 });
  if (name === 'slotId')
    return fc
      .oneof(fc.integer({ min: 11, max: 17 }), fc.integer({ min: 1, max: slotCount }))
      .map((slot) => (place === 'path' ? String(slot) : slot));
  if (name === 'slug') return one(place.startsWith('/api/shops') ? pools.shops : pools.slugs, 'x');
  if (name === 'images') return one(pools.photos, 'x').map((id) => [id]);
  // Optional fields (another's account, an earlier version) that are mostly refused.
  if ((name === 'sellerId' && place === '/api/products') || name === 'past')
    return fc.constant(undefined);
  if (name === 'seen' && place === '/api/drafts') return fc.constantFrom(null, ...moments);
  if (name === 'seen')
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...moments) },
    );
  if (name === 'preferredFeaturedSlot') return fc.constantFrom(undefined, 3);
  if (name === 'sellerId' || (name === 'id' && place.startsWith('/api/admin/sellers')))
    return one(pools.sellers, 'x');
  if (name === 'id' && place.startsWith('/api/uploads')) return one(pools.photos, 'x');
  if (name === 'id' && /\/purchases\//.test(place)) return one(pools.purchases, 'x');
  if (name === 'reference' && /\/connect\//.test(place)) return one(pools.posts, 'x');
  if (name === 'id' && place.startsWith('/api/account/export')) return one(pools.exports, 'x');
  if (name === 'id' && place.startsWith('/api/account/sessions')) return one(pools.sessions, 'x');
  if (name === 'id' && place.startsWith('/api/chats')) return one(pools.chats, 'x');
  if (name === 'number' && place.startsWith('/api/admin/credits')) return one(pools.members, '1');
  if (name === 'key' && place === '/api/drafts')
    return one(pools.drafts, '8c2d4f9e-4f0a-4c63-9a43-6f3b6b3f3a10');
  if (name === 'key' && place.startsWith('/api/drafts/')) return one(pools.drafts, 'x');
  if (name === 'photos') return one(pools.photos, 'x').map((id) => [id]);
  if (name === 'userId') return one(pools.users, 'x');
  if (name === 'after' && /\/connect\//.test(place)) return fc.constantFrom(...cursors);
  if (name === 'adapter') return fc.constantFrom('simulation', 'cash');
  if (name === 'text' && place === '/demo/chat') return said;
  // Long polling would wait for news that never comes here.
  if (name === 'wait') return fc.constant(undefined);
  if (name === 'ids')
    return fc.uniqueArray(one(pools.products, 'x'), { minLength: 1, maxLength: 3 });
  if (/^(id|productId|past)$/.test(name)) return one(pools.products, 'x');
  if (name === 'returnTo') return fc.constantFrom('/', '/fr/shop/7', ...texts);
  if (name === 'slot') return fc.constantFrom('1', '7', '54');
  return undefined;
}

/** A value of a schema; `nasty` is the weight of an invalid one, against 12. */
export function anyOf(
  schema: JsonSchema,
  name: string,
  place: string,
  pools: Pools,
  nasty: number,
): fc.Arbitrary<unknown> {
  const plain = byName(schema, name, place, pools) ?? plainOf(schema, name, place, pools, nasty);
  return nasty === 0
    ? plain
    : fc.oneof({ weight: 12, arbitrary: plain }, { weight: nasty, arbitrary: nastyValue });
}

function plainOf(
  schema: JsonSchema,
  name: string,
  place: string,
  pools: Pools,
  nasty: number,
): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema, as = name) => anyOf(part, as, place, pools, nasty);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((option) => inner(option)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const { minimum = -1000, maximum = 1000, minLength = 0, maxLength = 60 } = schema;
  switch (type) {
    case 'string':
      if (schema.format === 'uuid') return fc.uuid();
      if (schema.format === 'date-time') return fc.constantFrom(...moments);
      if (schema.format === 'date') return fc.constantFrom(...days);
      return fc.string({
        unit: 'grapheme',
        minLength,
        maxLength: Math.min(maxLength, minLength + 60),
      });
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
        fc.constantFrom(minimum, maximum),
      );
    case 'number':
      return fc.constantFrom(24, 48, 72, 100, 5000, 10_000_000);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object': {
      const parts = Object.entries(schema.properties ?? {});
      const known = fc.record(
        Object.fromEntries(parts.map(([key, part]) => [key, inner(part, key)])),
        {
          requiredKeys:
            nasty > 3
              ? []
              : (schema.required ?? []).filter((key) => key in (schema.properties ?? {})),
        },
      );
      return nasty === 0
        ? known
        : fc
            .tuple(
              known,
              fc.oneof(
                { weight: 8, arbitrary: fc.constant(null) },
                { weight: 1, arbitrary: extra },
              ),
            )
            .map(([object, more]) => (more ? { ...object, ...more } : object));
    }
    default:
      // Any value: settings validate theirs by name.
      return fc.constantFrom<unknown>('', '+237699001234', 10, true, {
        mtn_momo: { number: '1', payee: 'x' },
      });
  }
}
/** An unknown field. A computed `__proto__` is an own property, as JSON.parse makes it. */
const extra = fc
  .constantFrom(
    '__proto__',
    'constructor',
    'isAdmin',
    'status',
    'sellerId',
    '',
    '$t(unexpected)',
    '\u0000',
  )
  .map((key) => ({ [key]: 'x' }));

/** Invalid or excessive JSON. */
const brokenJson = fc.constantFrom(
  '',
  '{',
  '{"a":',
  'null',
  '[]',
  '"x"',
  '1',
  'nul',
  '{"a":1,"a":2}',
  '{"email":"a@b.cd","email":null}',
  `{"price":${'9'.repeat(400)}}`,
  '{"price":-0,"page":1e999}',
  `${'['.repeat(50_000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '{"\\u0000":"\\u0000","\\ud800":"\\udfff"}',
  '{"__proto__":{"role":"admin"}}',
  '\ufeff{}',
  `{"email":"${'x'.repeat(300_000)}"}`,
);
const brokenForms: readonly [string, string][] = [
  ['multipart/form-data', 'x'],
  ['multipart/form-data; boundary=', '--\r\n'],
  ['multipart/form-data; boundary=x', ''],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="returnTo"\r\n\r\n/',
  ],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="returnTo"; filename="a"\r\n\r\n/\r\n--x--\r\n',
  ],
  ['multipart/form-data; boundary=x', '--y--\r\n'],
  ['application/x-www-form-urlencoded', '%ZZ=%ZZ&returnTo=%00&language=%C0%80'],
  ['application/x-www-form-urlencoded', 'returnTo=a&returnTo=b&language=fr&language=en'],
  ['application/x-www-form-urlencoded', 'returnTo[]=a&__proto__=x&constructor=y'],
  ['application/x-www-form-urlencoded', '='.repeat(5000)],
  ['text/plain', 'returnTo=/'],
];

export function bodyOf(
  operation: Operation,
  place: string,
  pools: Pools,
  photo: Uint8Array,
  feeling: Mood,
): fc.Arbitrary<Body | undefined> {
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (place === '/api/uploads' && operation.operationId.startsWith('post')) {
    const bytes = fc.constantFrom(
      photo,
      new Uint8Array(),
      photo.slice(0, 200),
      encoder.encode('GIF89a'),
      encoder.encode('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      encoder.encode('x'),
    );
    return fc
      .tuple(bytes, fc.constantFrom('image/jpeg', 'image/svg+xml', ''))
      .map(([bytes, type]) => ({ type, bytes }));
  }
  if (!type || !content) return fc.constant(undefined);
  const value = anyOf(content.schema, '', place, pools, nastyOf[feeling]);
  if (type === 'application/json') {
    const json = value.map((given) => ({ type, bytes: encoder.encode(JSON.stringify(given)) }));
    const broken = brokenJson.map((text) => ({ type, bytes: encoder.encode(text) }));
    return feeling === 'wild'
      ? fc.oneof({ weight: 2, arbitrary: json }, { weight: 1, arbitrary: broken })
      : json;
  }
  const form = value.map((given) => {
    const fields = Object.entries((given ?? {}) as object).map(([key, field]): [string, string] => [
      key,
      String(field ?? '').toWellFormed(),
    ]);
    return {
      type: 'application/x-www-form-urlencoded',
      bytes: encoder.encode(new URLSearchParams(fields).toString()),
    };
  });
  const broken = fc
    .constantFrom(...brokenForms)
    .map(([kind, text]) => ({ type: kind, bytes: encoder.encode(text) }));
  return feeling === 'valid' ? form : fc.oneof(form, broken);
}

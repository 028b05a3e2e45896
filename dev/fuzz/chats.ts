import fc from 'fast-check';
import { cloud, cloudDelivery, cloudMessage, signed } from '../../tests/support/cloudMessages.ts';
import { telegramSecret } from '../testbed/networks.ts';
import { type Body, escaped, type Input, metricsToken } from './input.ts';
import { nastyValue, texts } from './nasty.ts';

/** Likely and unlikely messages to the bot. */
export const said = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'help',
      'marché',
      'find solar',
      'show 11',
      'contact 11',
      'price 20000',
      'post',
      'balance',
      'link',
      'join',
      'sell',
      'yes',
      '1',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);

/** Mostly a value, sometimes an invalid one. */
const mostly = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: nastyValue });
const chat = fc.integer({ min: 1, max: 12 });

const telegramMessage = fc.record(
  {
    message_id: mostly(fc.constant(1)),
    date: mostly(fc.constant(0)),
    chat: mostly(
      fc.record({
        id: mostly(chat),
        type: mostly(fc.constantFrom('private', 'private', 'group')),
        first_name: fc.constant('Somebody'),
      }),
    ),
    from: mostly(
      fc.record({ id: mostly(chat), is_bot: fc.boolean(), first_name: fc.constant('Somebody') }),
    ),
    text: mostly(said),
    caption: mostly(said),
    contact: mostly(
      fc.record({
        phone_number: mostly(fc.constantFrom('+237699001234', '1', texts[10])),
        user_id: mostly(chat),
        first_name: said,
      }),
    ),
    photo: mostly(
      fc.array(
        mostly(
          fc.record({ file_id: mostly(fc.uuid()), width: fc.constant(1), height: fc.constant(1) }),
        ),
        { maxLength: 3 },
      ),
    ),
    media_group_id: mostly(fc.constantFrom('1', '2')),
  },
  { requiredKeys: ['message_id', 'chat'] },
);
const update = fc.record(
  {
    update_id: mostly(fc.integer({ min: 1, max: 100_000 })),
    message: mostly(telegramMessage),
    callback_query: mostly(
      fc.record({
        id: mostly(fc.constant('x')),
        data: mostly(said),
        message: mostly(telegramMessage),
      }),
    ),
    my_chat_member: mostly(
      fc.record({
        chat: mostly(fc.record({ id: chat })),
        new_chat_member: mostly(fc.record({ status: fc.constantFrom('member', 'kicked') })),
      }),
    ),
  },
  { requiredKeys: ['update_id'] },
);

const number = fc.integer({ min: 0, max: 9 }).map((n) => `2376990012${n}0`);
const kinds = [
  'text',
  'interactive',
  'button',
  'image',
  'document',
  'contacts',
  'audio',
  'reaction',
  'unsupported',
  'valueOf',
];
const cloudContent = fc.record(
  {
    type: mostly(fc.constantFrom(...kinds)),
    text: mostly(fc.record({ body: mostly(said) })),
    interactive: mostly(
      fc.record({
        button_reply: mostly(fc.record({ id: mostly(said) })),
        list_reply: mostly(fc.record({ id: mostly(said) })),
      }),
    ),
    image: mostly(
      fc.record({
        id: mostly(fc.uuid()),
        mime_type: mostly(fc.constant('image/jpeg')),
        caption: mostly(said),
      }),
    ),
    contacts: mostly(
      fc.array(
        mostly(
          fc.record({
            phones: mostly(
              fc.array(mostly(fc.record({ phone: mostly(number), wa_id: mostly(number) }))),
            ),
          }),
        ),
      ),
    ),
  },
  { requiredKeys: ['type'] },
);
const message = fc
  .record({
    from: mostly(fc.oneof(number, fc.constantFrom('CM.12', ...texts))),
    content: fc.oneof(said, cloudContent),
    id: fc.constantFrom(undefined, 'wamid.1', ...texts),
    seconds: mostly(fc.constantFrom('1795000000', '0', '99999999999')),
  })
  .map(({ from, content, id, seconds }) => ({
    ...cloudMessage('', content as string, id ? { id } : {}),
    from,
    timestamp: seconds,
  }));
const delivery = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(mostly(message), { minLength: 1, maxLength: 5 })
      .map((messages) => cloudDelivery(messages).body),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(message, { minLength: 300, maxLength: 301 })
      .map((messages) => cloudDelivery(messages, { phoneId: '1' }).body),
  },
  {
    weight: 1,
    arbitrary: nastyValue.map((value) =>
      JSON.stringify({
        object: value,
        entry: [value, { changes: [value, { field: value, value }] }],
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'null',
      '[',
      '{"entry":[{"changes":[{}]}]}',
      `${'['.repeat(50_000)}`,
      'x'.repeat(300_000),
    ),
  },
);

const encoder = new TextEncoder();
/** Mostly the right secret, sometimes a wrong one or none. */
const proof = (right: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom('', 'x', right.slice(1), '\u00e9') },
  );
type Sent = { headers: [string, string][]; body?: Body; query?: string };

/** Requests that no schema describes: webhook deliveries, and Prometheus's. */
const special: Readonly<Record<string, fc.Arbitrary<Sent>>> = {
  'POST /bot/telegram': fc.tuple(update, proof(telegramSecret)).map(([given, secret]) => ({
    headers: [['x-telegram-bot-api-secret-token', secret]],
    body: { type: 'application/json', bytes: encoder.encode(JSON.stringify(given)) },
  })),
  'POST /bot/whatsapp': fc.tuple(delivery, proof(cloud.appSecret)).map(([body, secret]) => {
    const { 'content-type': type, ...headers } = signed(body, secret || 'none');
    return { headers: Object.entries(headers), body: { type, bytes: encoder.encode(body) } };
  }),
  'GET /bot/whatsapp': fc
    .record({
      word: proof(cloud.verifyToken),
      mode: fc.constantFrom('subscribe', 'x'),
      challenge: fc.constantFrom('1158201444', ...texts),
    })
    .map(({ word, mode, challenge }) => ({
      headers: [],
      query: `hub.mode=${mode}&hub.verify_token=${escaped(word)}&hub.challenge=${escaped(challenge)}`,
    })),
  'GET /metrics': proof(`Bearer ${metricsToken}`).map((word) => ({
    headers: [['authorization', word]],
  })),
};

/** Mixes a network's deliveries with an operation's input by schema. */
export const specially = (name: string, input: fc.Arbitrary<Input>): fc.Arbitrary<Input> => {
  const sent = special[name];
  if (!sent) return input;
  return fc.oneof(
    { weight: 1, arbitrary: input },
    {
      weight: 4,
      arbitrary: fc.tuple(input, sent).map(([given, { headers, body, query }]) => ({
        ...given,
        method: name.split(' ')[0] ?? '',
        target: `${name.split(' ')[1]}${query ? `?${query}` : ''}`,
        headers: [...(body ? [['content-type', body.type] as [string, string]] : []), ...headers],
        body: body?.bytes,
      })),
    },
  );
};

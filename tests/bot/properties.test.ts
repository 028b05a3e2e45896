import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeDraft } from '../../api/drafts/changeDraft.ts';
import { processQueue } from '../../api/slots/fill.ts';
import type { Button, Reply } from '../../bot/answers/types.ts';
import { commandIn, typed } from '../../bot/understanding/words.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { signInAdmin, signUpMember, signUpSeller, withFactor } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, live, productRow, submitted } from '../support/products.ts';
import { rare } from '../support/rare.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp();
const admin = await signInAdmin(market, { name: 'Admin' });
const seller = await signUpSeller(market, { name: 'Ngo Biyong' });
const other = await signUpSeller(market, { name: 'Fotso Secret' });
const member = await signUpMember(market, { name: 'Atangana' });

const { auditLog } = schema;
const commands = Object.keys(
  dictionaries.en.bot.words,
) as (keyof typeof dictionaries.en.bot.words)[];
const phrases = languages.flatMap((language) =>
  commands.flatMap((command) =>
    dictionaries[language].bot.words[command].split(',').map((words) => words.trim()),
  ),
);
/** Plausible and implausible messages. */
const message = fc.oneof(
  fc.constantFrom(...phrases),
  fc
    .tuple(
      fc.constantFrom(...phrases),
      fc.constantFrom(
        '1',
        '2',
        '11',
        '12',
        '13',
        '54',
        '99',
        '-1',
        'x',
        'douala',
        'toys',
        'under 5',
        '99999999999',
      ),
    )
    .map((parts) => parts.join(' ')),
  fc.constantFrom(
    'yes',
    'oui',
    'sell',
    'vendre',
    'done',
    'submit',
    'change 3',
    '1',
    '2',
    '3',
    '/start p-00000000',
    '/start l-ABCD2345',
    'lang fr',
    'Samsung',
    'Fotso',
    "'; drop table chats; --",
    '%',
    '\\',
    '',
  ),
  fc.constantFrom(
    '(voice)',
    '(number)',
    '(photo)',
    '(photo)done',
    '(photo)A chair',
    '(photo)25000',
    '(photo)market',
  ),
  fc.constantFrom('(approve)', '(reject)', '(remove)', '(sold)', '(relist)', '(listing)'),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

let hidden: string[] = [];
/** Buttons of another seller's notifications and of an admin's review, by placeholder. */
let buttonsOf = new Map<string, string>();
let waitingId = '';
beforeEach(async () => {
  await market.reset();
  await live(market, seller, admin, { name: { en: 'Samsung Galaxy' } });
  await live(market, other, admin, { name: { en: 'Leather bag' }, category: 'fashion' });
  const waiting = await submitted(market, other, { name: { en: 'Hidden treasure' } });
  const queued = await approved(market, other, admin, {
    name: { en: 'Queued treasure' },
    listingType: 'featured',
  });
  await processQueue(market.job('process-queue'));
  await changeDraft(await market.ctx(other), {
    answers: { 'name.en': 'Hidden draft', price: '54321' },
  });
  hidden = [waiting.id.slice(0, 8), queued.id.slice(0, 8)];
  waitingId = waiting.id;
  const { updatedAt } = await productRow(market, waiting.id);
  const [its, theirs] = [waiting, queued].map(({ id }) => id.replaceAll('-', '')) as [
    string,
    string,
  ];
  const seen = updatedAt.getTime().toString(36);
  buttonsOf = new Map(
    Object.entries({
      '(approve)': `approve ${its} p${seen}`,
      '(reject)': `reject ${its} p${seen}`,
      '(remove)': `remove ${theirs} l${seen}`,
      '(sold)': `sold ${theirs} yes`,
      '(relist)': `list again ${theirs} yes`,
      '(listing)': `listing ${its}`,
    }),
  );
});

/** Sends the message, or the button or attachment of its placeholder. */
function send(chat: Awaited<ReturnType<typeof chatting>>, given: string): Promise<Reply[]> {
  if (given === '(voice)') return chat.say('', { wordless: true });
  if (given === '(number)') return chat.say('', { number: '+237699001234' });
  if (given.startsWith('(photo)'))
    return chat.say(given.slice('(photo)'.length), { photos: [{ ref: 'x' }] });
  return chat.say(buttonsOf.get(given) ?? given);
}

/** All replies without the sender's own input, which may be the draft's name by now. */
const all = (replies: Reply[]) =>
  JSON.stringify(
    replies.map((reply) => ({
      ...reply,
      text: [...buttonsOf.values()].reduce((text, own) => text.replaceAll(own, ''), reply.text),
    })),
  );
const buttons = (replies: Reply[]): Button[] =>
  replies.flatMap((reply) => (reply.buttons ?? []).flat());
/** Phone numbers as they could leak: international and national form. */
const numbers = [seller, other].flatMap(({ whatsapp }) => [whatsapp.slice(1), whatsapp.slice(4)]);

describe('whatever is written', () => {
  test.each([
    ['a stranger', undefined],
    ['a seller', seller],
    ['a member', member],
  ] as const)(
    'to %s is answered: with no fault, nobody else’s data, and no number that was not asked for with consent',
    async (_, person) => {
      let turn = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (said) => {
          const chat = await chatting(market, {
            ...(person ? { person } : {}),
            language: 'en',
            address: `chat ${person?.userId} ${turn++}`,
          });
          let asked = false;
          for (const given of said) {
            const text = buttonsOf.get(given) ?? given;
            const replies = await send(chat, given);
            const answer = all(replies);
            expect(replies.length).toBeGreaterThan(0);
            for (const reply of replies) expect(reply.text.length).toBeGreaterThan(0);
            for (const one of [
              other.email,
              admin.email,
              ...(person ? [] : [seller.email]),
              'Hidden treasure',
              'Hidden draft',
              '54,321',
              ...hidden.slice(0, 1),
            ])
              expect(answer).not.toContain(one);
            const agrees =
              ['yes', 'oui'].includes(text.trim().toLowerCase()) ||
              commandIn(text)?.command === 'yes';
            if (!(asked && agrees))
              for (const number of numbers) expect(answer).not.toContain(number);
            asked = /agree to contact|contacter le vendeur sur WhatsApp/.test(answer);
            for (const button of buttons(replies)) {
              if ('say' in button) expect(Buffer.byteLength(button.say)).toBeLessThanOrEqual(64);
              else if ('url' in button)
                expect(button.url).toMatch(/^(http:\/\/market\.test\/|https:\/\/wa\.me\/)/);
            }
            // Length limits of a photo's caption and of a message.
            for (const reply of replies)
              expect(reply.text.length).toBeLessThanOrEqual(reply.picture ? 1024 : 4096);
          }
        }),
        { numRuns: rare ? 60 : 20 },
      );
      expect(await productRow(market, waitingId)).toMatchObject({
        status: 'pending',
        rejectedReason: null,
      });
      expect(
        await market.db
          .select()
          .from(auditLog)
          .where(and(eq(auditLog.via, 'telegram'), eq(auditLog.actorKind, 'admin'))),
      ).toEqual([]);
    },
  );

  test('to an admin is answered with no fault, and in what transports take', async () => {
    await withFactor(market, admin);
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (said) => {
        const chat = await chatting(market, {
          person: admin,
          language: 'en',
          address: `chat of an admin ${turn++}`,
        });
        for (const given of said) {
          const replies = await send(chat, given);
          expect(replies.length).toBeGreaterThan(0);
          for (const reply of replies) {
            expect(reply.text.length).toBeGreaterThan(0);
            expect(reply.text.length).toBeLessThanOrEqual(reply.picture ? 1024 : 4096);
          }
          for (const button of buttons(replies))
            if ('say' in button) expect(Buffer.byteLength(button.say)).toBeLessThanOrEqual(64);
        }
      }),
      { numRuns: rare ? 30 : 10 },
    );
  });
});

describe('the words of a command', () => {
  test.each(languages)(
    'in %s are each understood as that command, without accents and in capitals too',
    (language) => {
      for (const command of commands) {
        for (const words of dictionaries[language].bot.words[command].split(',')) {
          const bare = words.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
          expect(commandIn(words)?.command, words).toBe(command);
          expect(commandIn(`/${bare}`)?.command, bare).toBe(command);
        }
        expect(commandIn(typed(language, command))).toMatchObject({ command, exact: true });
      }
    },
  );

  test('are understood with a slip, and are words of something else in the middle of a text', () => {
    expect(commandIn('markte')?.command).toBe('market');
    expect(commandIn('contcter 12')).toMatchObject({
      command: 'contact',
      rest: ['12'],
      exact: false,
    });
    expect(commandIn('marker pens')).toBeUndefined();
    expect(commandIn('no seller answered')).toBeUndefined();
  });

  test('that the help names are commands', () => {
    for (const language of languages)
      for (const part of Object.values(dictionaries[language].bot.help).slice(1))
        for (const line of part.split('\n'))
          for (const one of (line.split(' – ')[0] ?? '').split(', '))
            expect(commandIn(one)?.command, one).toBeDefined();
  });
});

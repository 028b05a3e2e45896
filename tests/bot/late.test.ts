import { beforeEach, describe, expect, test } from 'vitest';
import { readUpdate } from '../../bot/transports/telegram/update.ts';
import { schema } from '../../db/client.ts';
import { actors, withFactor } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live, productRow, submitted } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await withFactor(market, admin);
});

const minutesAgo = (minutes: number) => ({
  at: new Date(market.clock.now().getTime() - minutes * 60_000).toISOString(),
});
const late = {
  en: 'That reached me late, after I had asked something else.',
  fr: 'Ce message m’est arrivé en retard, après une autre question.',
};
const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');

describe.each(['telegram', 'whatsapp'] as const)(
  'on %s, words written before a question',
  (transport) => {
    test('are no reason for a rejection, in both languages; the question stays open', async () => {
      const { id } = await submitted(market, seller);
      for (const language of ['en', 'fr'] as const) {
        await market.db.update(schema.user).set({ language });
        const chat = await chatting(market, { person: admin, transport, address: language });
        await chat.say(language === 'en' ? 'pending' : 'à valider');
        await chat.say(language === 'en' ? 'reject' : 'refuser');
        const answer = await chat.say('The photos are too dark to see', minutesAgo(5));
        expect(texts(answer)).toContain(late[language]);
        expect((await productRow(market, id)).rejectedAt).toBeNull();
        expect(texts(await chat.say('1', minutesAgo(5)))).toContain(late[language]);
      }
      const chat = await chatting(market, { person: admin, transport, address: 'third' });
      await market.db.update(schema.user).set({ language: 'en' });
      await chat.say('pending');
      await chat.say('reject');
      await chat.say('The photos are too dark to see', minutesAgo(5));
      await chat.say('Please take the photos by daylight', minutesAgo(0));
      expect(await productRow(market, id)).toMatchObject({
        rejectedReason: 'Please take the photos by daylight',
      });
    });

    test('are no note of a report, five days old or not', async () => {
      const { slotId } = await live(market, seller, admin);
      const chat = await chatting(market, { transport, language: 'en' });
      await chat.say(`report ${slotId}`);
      await chat.say('1');
      expect(texts(await chat.say('is this still there?', minutesAgo(5 * 24 * 60)))).toContain(
        late.en,
      );
      expect(await market.db.select().from(schema.reports)).toEqual([]);
      await chat.say('He asked for money first', minutesAgo(0));
      expect(await market.db.select().from(schema.reports)).toMatchObject([
        { note: 'He asked for money first' },
      ]);
    });

    test('decide nothing that was shown after them', async () => {
      const { id } = await submitted(market, seller);
      const chat = await chatting(market, { person: admin, transport });
      await chat.say('pending');
      expect(texts(await chat.say('approve', minutesAgo(5)))).toContain(late.en);
      expect((await productRow(market, id)).status).toBe('pending');
      await chat.say('approve', minutesAgo(0));
      expect((await productRow(market, id)).status).toBe('approved');
    });

    test('are no field of a draft, and a contact no proof', async () => {
      const chat = await chatting(market, { person: seller, transport });
      await chat.say('sell');
      await chat.say('change name', minutesAgo(0));
      expect(texts(await chat.say('Hello, are you there?', minutesAgo(2)))).toContain(late.en);
      expect((await market.db.select().from(schema.productDrafts))[0]?.answers).toEqual({});
      await chat.say('verify');
      // On WhatsApp this number is hidden, so nothing is asked.
      if (transport === 'whatsapp') return;
      const contact = { number: '+237699000000', ...minutesAgo(2) };
      expect(texts(await chat.say('', contact))).toContain(late.en);
    });

    test('are answered where they ask for something of their own, and the question stays', async () => {
      const { slotId, id } = await live(market, seller, admin);
      const chat = await chatting(market, { transport, language: 'en' });
      await chat.say(`contact ${slotId}`);
      expect(texts(await chat.say('help', minutesAgo(5)))).toContain('You can write what you want');
      expect((await chat.row())?.state).toMatchObject({ awaits: { kind: 'contact', product: id } });
      expect(texts(await chat.say('yes', minutesAgo(5)))).toContain(late.en);
      expect(texts(await chat.say('yes', minutesAgo(0)))).toContain('Here is the seller');
    });

    test('are answers where the same question was only asked again', async () => {
      const chat = await chatting(market, { person: seller, transport });
      await chat.say('sell');
      await chat.say('change price');
      market.clock.advance({ minutes: 10 });
      await chat.say('what?');
      expect(texts(await chat.say('25000', minutesAgo(5)))).not.toContain(late.en);
    });
  },
);

test('a number written before the choices were printed chooses none of them', async () => {
  const chat = await chatting(market, { language: 'en', transport: 'whatsapp' });
  const { offerNumbers } = await import('../../api/chats/chat.ts');
  await chat.say('help');
  await offerNumbers(market.job('x'), chat.keyHash, [{ label: 'Market', say: 'market' }]);
  expect(texts(await chat.say('1', minutesAgo(5)))).toContain(late.en);
  expect(texts(await chat.say('1', minutesAgo(0)))).toContain('No stall is live');
});

describe('Telegram says when', () => {
  const chat = { id: 5, type: 'private', first_name: 'A' };
  const heard = (update: object) => {
    const read = readUpdate(1, { update_id: 1, ...update });
    return read && 'message' in read ? read.message : undefined;
  };

  test('a message was written, and when the button that is pressed was sent', () => {
    const message = { message_id: 1, date: 1_750_000_000, chat };
    expect(heard({ message: { ...message, text: 'yes' } })?.at).toEqual(
      new Date('2025-06-15T15:06:40Z'),
    );
    const pressed = heard({ callback_query: { id: 'x', data: 'yes', message } });
    expect(pressed?.at).toBeUndefined();
    expect(pressed?.message).toEqual({ text: 'yes', pressed: '1', at: '2025-06-15T15:06:40.000Z' });
    // Telegram hides the date of a message that it no longer holds.
    const hidden = { callback_query: { id: 'x', data: 'yes', message: { ...message, date: 0 } } };
    expect(heard(hidden)?.message).toEqual({
      text: 'yes',
      pressed: '1',
      at: '1970-01-01T00:00:00.000Z',
    });
  });
});

import type { Update } from 'grammy/types';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Incoming, messageOf, receive, takeUpdates } from '../../api/chats/inbox.ts';
import { readUpdate } from '../../bot/transports/telegram/update.ts';
import { readDelivery } from '../../bot/transports/whatsapp/cloud/update.ts';
import { readMessage } from '../../bot/transports/whatsapp/web/update.ts';
import { actors, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { cloud, cloudDelivery, cloudMessage } from '../support/cloudApi.ts';
import { jpeg, textFile } from '../support/photos.ts';
import { live } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_NAME: 'marche54_bot' } });
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

const number = '+237699001001';
const photo = async () => new Uint8Array(await jpeg());

describe('a voice message, a sticker, a video, a place', () => {
  test.each([
    ['voice', { voice: { file_id: 'x' } }],
    ['sticker', { sticker: { file_id: 'x' } }],
    ['video', { video: { file_id: 'x' }, caption: 'My chair' }],
    ['location', { location: { latitude: 48, longitude: 2 } }],
    ['document', { document: { file_id: 'x', mime_type: 'application/pdf' } }],
  ])('on Telegram is no words: %s', (_, content) => {
    const chat = { id: 5, type: 'private', first_name: 'A' };
    const heard = readUpdate(1, {
      update_id: 1,
      message: { message_id: 1, date: 0, from: { ...chat, is_bot: false }, chat, ...content },
    } as unknown as Update);
    expect(heard).toMatchObject({ message: { message: { text: '', wordless: true } } });
  });

  test.each(['audio', 'sticker', 'video', 'location', 'unsupported', 'order'])(
    'through the Cloud API is no words, and shares no number: %s',
    (type) => {
      const { body } = cloudDelivery([cloudMessage('237699001001', { type, [type]: { id: 'x' } })]);
      expect(readDelivery({ phoneId: cloud.phoneId, secret: 'x' }, JSON.parse(body))).toMatchObject(
        [{ message: { text: '', wordless: true } }],
      );
    },
  );

  test.each(['ptt', 'ptv', 'sticker', 'video', 'location', 'image'])(
    'on a linked phone is no words, and shares no number: %s',
    (type) => {
      const message = {
        id: 'x',
        from: '237699001001@c.us',
        fromMe: false,
        type,
        body: '/9j/4AAQ',
        timestamp: 1_790_000_000,
      };
      expect(readMessage('x', message)?.message).toEqual({ text: '', number, wordless: true });
    },
  );

  test('a place in Cameroon is its nearest town, on every network; the place itself is not kept', async () => {
    const place = { latitude: 4.061_536, longitude: 9.786_072 };
    const chat = { id: 5, type: 'private', first_name: 'A' };
    const update = { message_id: 1, date: 0, from: { ...chat, is_bot: false }, chat };
    const { body } = cloudDelivery([
      cloudMessage('237699001001', { type: 'location', location: place }),
    ]);
    const web = {
      id: 'x',
      from: '237699001001@c.us',
      fromMe: false,
      type: 'location',
      body: '/9j/4AAQ',
    };
    const read = [
      readUpdate(1, { update_id: 1, message: { ...update, location: place } } as unknown as Update),
      readDelivery({ phoneId: cloud.phoneId, secret: 'x' }, JSON.parse(body))[0],
      readMessage('x', { ...web, timestamp: 1_790_000_000, place }),
    ].map((heard) => heard && ('message' in heard ? heard : undefined));
    for (const heard of read) {
      expect(JSON.stringify(heard)).toContain('"text":"Douala"');
      expect(JSON.stringify(heard)).not.toMatch(/4\.06|9\.78/);
    }
    // What is stored is opened again, and searched with the log and all tables.
    const incoming = read[1] as Incoming;
    await receive(market.job('bot'), incoming);
    const [stored] = await takeUpdates(market.job('bot'), 1);
    const rows = await market.sql`select * from chat_updates, chats`;
    const kept = JSON.stringify([stored && messageOf(market.job('bot'), stored), rows]);
    expect(kept).toContain('Douala');
    expect(kept).not.toMatch(/4\.06|9\.78/);
  });

  test('gets a useful answer, and what was asked waits on, with its numbers', async () => {
    await live(market, seller, admin);
    const chat = await chatting(market, { language: 'en', transport: 'whatsapp' });
    const [idle] = await chat.say('', { number, wordless: true });
    expect(idle?.text).toMatch(/^I can read words and photos here, but no voice messages/);
    expect(idle?.buttons?.flat().map((button) => button.label)).toEqual(['Market', 'Help']);
    await chat.say('contact 11', { number });
    const before = await chat.row();
    const [asked] = await chat.say('', { number, wordless: true });
    expect(asked?.text).toMatch(/What I asked last still waits for your answer\.$/);
    expect(await chat.row()).toEqual(before);
    expect((await chat.say('yes', { number }))[0]?.text).toMatch(/^Here is the seller/);
  });

  test('answers a stranger in a guessed language, and joins nobody', async () => {
    const chat = await chatting(market, { transport: 'whatsapp' });
    const [reply] = await chat.say('', { number, wordless: true, language: 'fr' });
    expect(reply?.text).toMatch(/^Je lis ici les mots/);
    expect(reply?.buttons?.at(-1)).toEqual([
      { label: 'English?', say: 'language en' },
      { label: 'Confidentialité', url: `${market.env.publicUrl}/fr/privacy` },
    ]);
    expect((await chat.row())?.state).not.toHaveProperty('awaits');
    expect((await chat.row())?.userId).toBeNull();
  });
});

describe('whoever hides their number on WhatsApp', () => {
  test.each([['verify', {}] as const, ['', { anothersContact: true }] as const])(
    'is told what proves it: “%s”',
    async (text, sent) => {
      const chat = await chatting(market, {
        person: seller,
        transport: 'whatsapp',
        address: '98765@lid',
      });
      const [answer] = await chat.say(text, sent);
      expect(answer?.text).toMatch(/^WhatsApp hides your number from me/);
      expect(answer?.text).not.toContain('paperclip');
      expect(answer?.text).toContain('It also works on Telegram');
      expect(answer?.buttons).toEqual([
        [{ label: 'Telegram', url: 'https://t.me/marche54_bot?start=en' }],
      ]);
      // Once the number is shown, the confirming message itself proves it.
      expect((await chat.say('verify', { number: seller.whatsapp }))[0]?.text).toMatch(
        /^Your number will be confirmed for the account/,
      );
      expect((await chat.say('yes', { number: seller.whatsapp }))[0]?.text).toMatch(
        /^Your number is confirmed/,
      );
    },
  );

  test('cannot join there, and is told so instead of being sent round in circles', async () => {
    const chat = await chatting(market, {
      language: 'en',
      transport: 'whatsapp',
      address: '98765@lid',
    });
    for (const line of ['join', 'Ewondo Marie', 'Bafoussam, West']) await chat.say(line);
    for (const line of ['yes', number]) {
      const [answer] = await chat.say(line);
      expect(answer?.text).toMatch(/^The last step needs your number, and WhatsApp hides it/);
      expect(answer?.buttons?.flat().some((button) => 'askForContact' in button)).toBe(false);
    }
  });

  test('elsewhere is asked to share the contact, as before', async () => {
    const { say } = await chatting(market, { person: seller });
    expect((await say('verify'))[0]?.text).toContain('paperclip');
    expect((await say('', { anothersContact: true }))[0]?.text).toMatch(
      /^That contact is not your own/,
    );
  });
});

describe('the words under a photo', () => {
  const sends = (chat: Awaited<ReturnType<typeof chatting>>, caption: string, fetch = photo) =>
    chat.say(caption, { photos: [{ ref: 'x' }] }, fetch);

  test('answer what is being asked, by its own rules', async () => {
    const chat = await chatting(market, { person: await signUpSeller(market) });
    await chat.say('sell');
    const [done] = await sends(chat, 'done');
    expect(done?.text).toMatch(/^Photo 1 of 5 is here\.\n\nWhat is the product called, in English/);
    const [name] = await sends(chat, 'Garden chair');
    expect(name?.text).toMatch(/^Photo 2 of 5 is here\.\n\nWhat is the product called, in French/);
    await chat.say('same');
    const [short] = await sends(chat, 'x');
    expect(short?.text).toMatch(/^Photo 3 of 5 is here\.\n\nMust be at least/);
    expect(short?.text).toContain('Describe it in English');
  });

  test('that answer nothing are said not to be used, also under what is no photo', async () => {
    const chat = await chatting(market, { person: await signUpSeller(market) });
    const left = /I did not use the words under the photo/;
    for (const fetch of [async () => new Uint8Array(textFile()), photo])
      expect((await sends(chat, 'A chair to sit on', fetch))[0]?.text).toMatch(left);
    expect((await chat.say('market', { photos: [{ ref: 'x' }] }, photo))[0]?.text).toMatch(left);
    // Further photos of an album are kept silently, unless words come with them.
    const album = (caption: string) =>
      chat.say(caption, { photos: [{ ref: 'x', album: '7' }] }, photo);
    await album('');
    expect((await album('A chair'))[0]?.text).toMatch(left);
    expect(await album('')).toEqual([]);
  });

  test('are answered as words for whoever does not sell', async () => {
    const chat = await chatting(market, { language: 'en' });
    expect((await sends(chat, 'help')).map(({ text }) => text.slice(0, 12))).toEqual([
      'You can writ',
    ]);
    const stranger = await chatting(market, { address: 'a stranger' });
    expect((await sends(stranger, 'help')).at(-1)?.text).toMatch(/^You can write/);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { offerNumbers } from '../../api/chats/chat.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');

describe.each(['telegram', 'whatsapp'] as const)('on %s a printed number', (transport) => {
  test.each(['en', 'fr'] as const)('is the listing of that number, in %s', async (language) => {
    await market.db.update(schema.user).set({ language });
    for (const name of ['Old radio', 'Iron bed']) {
      await live(market, seller, admin, { name: { en: name, fr: name } });
      market.clock.advance({ minutes: 1 });
    }
    const chat = await chatting(market, { person: seller, transport });
    const list = texts(await chat.say(language === 'en' ? 'my listings' : 'mes annonces'));
    const named = (n: number) =>
      new RegExp(`^${n}\\. (Old radio|Iron bed)`, 'm').exec(list)?.[1] ?? 'none';
    expect(texts(await chat.say('1'))).toMatch(new RegExp(`^${named(1)} – `));
    // The list is still on the screen.
    expect(texts(await chat.say('2'))).toMatch(new RegExp(`^${named(2)} – `));
    await chat.say(language === 'en' ? 'help' : 'aide');
    expect(texts(await chat.say('1'))).toContain('#01');
  });

  test('is the line of a draft, or the kind of notification', async () => {
    await market.db.update(schema.user).set({ language: 'en' });
    const chat = await chatting(market, { person: seller, transport });
    const list = texts(await chat.say('notices'));
    const [, kind = ''] = /^3\. (.+): on$/m.exec(list) ?? [];
    expect(kind).not.toBe('');
    expect(texts(await chat.say('3'))).toContain(`${kind}: off`);
    expect(texts(await chat.say('3'))).toContain(`${kind}: on`);
  });

  test('answers an open question before an older list', async () => {
    await market.db.update(schema.user).set({ language: 'en' });
    await live(market, seller, admin);
    const chat = await chatting(market, { person: seller, transport });
    await chat.say('my listings');
    await chat.say('1');
    await chat.say('sell');
    await chat.say('change price');
    const answer = texts(await chat.say('1'));
    expect(answer).not.toContain('Samsung');
    expect((await chat.row())?.state).toMatchObject({ awaits: { kind: 'draft' } });
  });

  test('is never given to a button too', async () => {
    await live(market, seller, admin);
    const chat = await chatting(market, { person: seller, transport });
    await chat.say('my listings');
    const buttons = [{ label: 'Market', say: 'market' }];
    expect(await offerNumbers(market.job('x'), chat.keyHash, buttons)).toEqual(['2. Market']);
  });
});

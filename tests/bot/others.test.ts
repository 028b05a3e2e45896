import { beforeEach, describe, expect, test } from 'vitest';
import { unlinked, unmarked } from '../../bot/delivery/others.ts';
import { schema } from '../../db/client.ts';
import { actors, withFactor } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live, productRow, submitted } from '../support/products.ts';
import { chatting, said } from '../support/talk.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await withFactor(market, admin);
});
const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');
const inEach = [
  ['en', /does nothing by itself.*write.*“(approve|unlink|yes)”/s],
  ['fr', /ne fait rien.*écrivez.*«.(approve|unlink|yes).»/s],
] as const;

describe.each(inEach)('a command that was tapped in others’ text, in %s', (language, asks) => {
  beforeEach(() => market.db.update(schema.user).set({ language }));

  test('decides nothing: it asks, and its button does it', async () => {
    const { id } = await submitted(market, seller);
    const chat = await chatting(market, { person: admin });
    await chat.say('pending');
    const asked = await chat.say('/approve');
    expect(texts(asked)).toMatch(asks);
    expect((await productRow(market, id)).status).toBe('pending');
    await chat.say(said(asked, 'approve'));
    expect((await productRow(market, id)).status).toBe('approved');
  });

  test('unlinks no chat, answers no question and lists nothing again', async () => {
    const { slotId } = await live(market, seller, admin);
    const chat = await chatting(market, { person: seller });
    expect(texts(await chat.say('/unlink'))).toMatch(asks);
    expect((await chat.row())?.userId).toBe(seller.userId);
    await chat.say(`contact ${slotId}`);
    expect(texts(await chat.say('/yes'))).toMatch(asks);
    expect((await chat.row())?.state).toMatchObject({ awaits: { kind: 'contact' } });
    await chat.say('my listings');
    expect(texts(await chat.say('/sold_1_yes'))).toMatch(/does nothing|ne fait rien/);
    // What only shows something is answered.
    expect(texts(await chat.say('/help'))).not.toMatch(/does nothing|ne fait rien/);
  });
});

test('on Telegram a slash that would be a command is broken, addresses stay', () => {
  const text = 'Nice /approve, (/unlink) and/or 1/2 https://a.test/approve /étal';
  const broken = unlinked(text);
  expect(broken).not.toMatch(/(^|[\s(])\/[a-z]/);
  expect(broken.replaceAll('\u2060', '')).toBe(text);
  expect(broken).toContain('and/or 1/2 https://a.test/approve');
});

test('on WhatsApp signs that format are replaced, in words and addresses they stay', () => {
  expect(unmarked('*Approved by Marché 54* _now_ ~old~ ```x```')).not.toMatch(/[*_~`]/);
  const kept = 'A_14 2*3 https://a.test/x?token=_ab_c~ end';
  expect(unmarked(kept)).toBe(kept);
});

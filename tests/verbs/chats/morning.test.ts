import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { tellMornings } from '../../../api/chats/morning.ts';
import { openReply } from '../../../api/chats/replies.ts';
import { morningKind } from '../../../api/people/daily.ts';
import { schema } from '../../../db/client.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { cloudEnv } from '../../support/cloudMessages.ts';
import { live, runQueue, submitted } from '../../support/products.ts';
import { chatting, said } from '../../support/talk.ts';

const market = await testApp({
  env: { ...cloudEnv('http://localhost:1'), TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}` },
});
const admin = await signInAdmin(market);
const seller = await signUpSeller(market);
const member = await signUpMember(market);
const { chats, outbox } = schema;
beforeEach(() => market.reset());

const tell = () => tellMornings(market.job('tell-mornings'));
async function news() {
  const rows = await market.db.select().from(outbox).where(eq(outbox.kind, morningKind));
  return Promise.all(
    rows.map(async (row) => {
      const [chat] = await market.db.select().from(chats).where(eq(chats.keyHash, row.recipient));
      if (!chat) throw new Error('There is no chat');
      return { to: row.recipient, ...openReply(market.services.secret, chat, row) };
    }),
  );
}
async function chosen(options: Parameters<typeof chatting>[1] = {}) {
  const chat = await chatting(market, { person: seller, language: 'en', ...options });
  await chat.say('each morning on');
  return chat;
}
const aDay = () => market.clock.advance({ days: 1 });

describe('the morning message', () => {
  test('has each live listing with its figures, and each that ended lately with the fee of another', async () => {
    const chat = await chosen();
    await live(market, seller, admin, { name: { en: 'Old radio' }, durationHours: 24 });
    aDay();
    market.clock.advance({ hours: 1 });
    await runQueue(market);
    await live(market, seller, admin, { name: { en: 'Iron bed' }, durationHours: 96 });
    await submitted(market, seller, { name: { en: 'Not reviewed yet' } });
    expect(await tell()).toEqual({ told: 1 });
    const [{ text, buttons } = { text: '', buttons: [] }] = await news();
    expect(text).toMatch(/Iron bed – stall #\d\d, until .+\nLast 7 days: 0 views/);
    expect(text).toMatch(/Old radio – ended\nLast 7 days: .+\nListing it again: XAF/);
    expect(text).not.toContain('Not reviewed');
    expect(buttons?.flat().map(({ label }) => label)).toEqual([
      'Mark as Sold: Iron bed',
      'List Again: Old radio',
    ]);
    const [answer] = await chat.say(
      said([{ text, ...(buttons && { buttons }) }], 'List Again: Old radio'),
    );
    expect(answer?.text).toContain('“Old radio” is back in the queue');
    const [sold] = await chat.say(
      said([{ text, ...(buttons && { buttons }) }], 'Mark as Sold: Iron bed'),
    );
    expect(sold?.text).toContain('“Iron bed” is marked as sold');
  });

  test('comes once a day, to one chat, and no more after “no” or STOP', async () => {
    await live(market, seller, admin, { durationHours: 120 });
    const first = await chosen();
    const second = await chosen({ address: 'another' });
    expect((await first.row())?.morningOn).toBe(false);
    await tell();
    expect(await tell()).toEqual({ told: 0 });
    expect((await news()).map(({ to }) => to)).toEqual([second.keyHash]);
    aDay();
    expect(await tell()).toEqual({ told: 1 });
    await second.say('each morning no');
    aDay();
    expect(await tell()).toEqual({ told: 0 });
    await second.say('each morning on');
    await second.say('stop');
    aDay();
    expect(await tell()).toEqual({ told: 0 });
    expect((await second.say('each morning on'))[0]?.text).toContain('stopped all messages');
    await second.say('notices on');
    expect((await second.row())?.morningOn).toBe(false);
  });

  test('is not sent without anything to tell, to a closed chat, or long after an end', async () => {
    const chat = await chosen();
    expect(await tell()).toEqual({ told: 0 });
    await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ days: 2 });
    await runQueue(market);
    expect(await tell()).toEqual({ told: 1 });
    market.clock.advance({ days: 8 });
    expect(await tell()).toEqual({ told: 0 });
    await live(market, seller, admin, { durationHours: 120 });
    await market.db
      .update(chats)
      .set({ closedAt: market.clock.now(), closedWhy: 'unused' })
      .where(eq(chats.keyHash, chat.keyHash));
    aDay();
    expect(await tell()).toEqual({ told: 0 });
  });

  test('on the Cloud API comes only while the person’s 24 hours are open', async () => {
    await live(market, seller, admin, { durationHours: 120 });
    const chat = await chosen({ transport: 'whatsapp', address: '237699001001' });
    const wrote = (hoursAgo: number) =>
      market.db
        .update(chats)
        .set({ wroteAt: new Date(market.clock.now().getTime() - hoursAgo * 3_600_000) })
        .where(eq(chats.keyHash, chat.keyHash));
    await wrote(24);
    expect(await tell()).toEqual({ told: 0 });
    aDay();
    await wrote(23);
    expect(await tell()).toEqual({ told: 1 });
  });

  test('is for sellers', async () => {
    const chat = await chosen({ person: member, address: 'a member' });
    expect((await chat.row())?.morningOn).toBe(false);
    const stranger = await chatting(market, { language: 'en', address: 'a stranger' });
    expect((await stranger.say('each morning'))[0]?.text).toContain('who you are');
  });
});

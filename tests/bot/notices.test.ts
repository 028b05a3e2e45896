import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { toSend } from '../../api/chats/replies.ts';
import { tellEndsSoon } from '../../api/listings/endsSoon.ts';
import { ownSwitches } from '../../api/people/switches.ts';
import { removeFromSlot } from '../../api/slots/remove.ts';
import type { Reply } from '../../bot/answers/types.ts';
import { commandIn } from '../../bot/understanding/words.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { token } from '../support/botApi.ts';
import { live, productRow, runQueue, slotOf, submitted } from '../support/products.ts';
import { chatting, said } from '../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const { seller, otherSeller, admin } = await actors(market);
const { outbox } = schema;
beforeEach(() => market.reset());

/** Notifications of a kind as the transport receives them, oldest first. */
async function notices(kind: string): Promise<Reply[]> {
  const rows = await market.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.channel, 'telegram'), eq(outbox.kind, kind)))
    .orderBy(outbox.turn);
  return Promise.all(
    rows.map(
      async (row) => (await toSend(market.job('x'), row.recipient, row))?.reply ?? { text: '' },
    ),
  );
}
const words = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');

describe('a notice in a chat', () => {
  test('has its words from the mail, and buttons that anybody could type', async () => {
    await chatting(market, { person: seller });
    await live(market, seller, admin);
    const [notice] = await notices('productLive');
    expect(notice?.text).toContain('Samsung Galaxy A14');
    const buttons = (notice?.buttons ?? []).flat().flatMap((one) => ('say' in one ? [one] : []));
    expect(buttons.map(({ label }) => label)).toEqual(['Show Listing', 'Mark as Sold']);
    for (const { say } of buttons)
      expect([commandIn(say) !== undefined, Buffer.byteLength(say) <= 64]).toEqual([true, true]);
    // Neither mailed nor readable in the row.
    const rows = await market.db.select().from(outbox).where(eq(outbox.kind, 'productLive'));
    expect(rows.map(({ channel, sealed }) => [channel, sealed === null])).toEqual(
      expect.arrayContaining([
        ['email', true],
        ['telegram', false],
      ]),
    );
  });

  test('lists again with one tap what has ended, hours later, and that listing alone; a second tap does nothing more', async () => {
    const chat = await chatting(market, { person: seller });
    const { id } = await live(market, seller, admin, {
      durationHours: 24,
      name: { en: 'Old radio' },
    });
    market.clock.advance({ hours: 24 });
    await runQueue(market);
    const [ended] = await notices('listingEnded');
    market.clock.advance({ hours: 9 });
    await live(market, seller, admin, { name: { en: 'Iron bed' } });
    await chat.say('my listings');
    const tap = said([ended as Reply], 'List Again');
    expect(words(await chat.say(tap))).toContain('“Old radio” is back in the queue.');
    expect(words(await chat.say(tap))).toContain(
      'That cannot be done with “Old radio”: it is in line.',
    );
    expect((await productRow(market, id)).listing).toMatchObject({ number: 2, endedAt: null });
  });

  test('before the end offers to list it again then, which can be taken back, or to mark it as sold', async () => {
    const chat = await chatting(market, { person: seller });
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 19 });
    await tellEndsSoon(market.job('tell-ends-soon'));
    const [soon] = await notices('listingEndsSoon');
    const asked = await chat.say(said([soon as Reply], 'List Again'));
    expect(words(asked)).toMatch(
      /listed again as soon as its time is up\.\nThe listing fee of XAF\s1,000 is due then\./,
    );
    expect((await productRow(market, id)).listing?.againAsked).not.toBeNull();
    await chat.say('my listings');
    // Asking again returns the same answer; a listing that an admin re-queued shows it too, with
    // the way back.
    expect(words(await chat.say('list again 1'))).toBe(words(asked));
    await removeFromSlot(await market.ctx(admin), slotId, { productId: id, requeue: true });
    const queued = await chat.say('listing 1');
    expect(words(queued)).toContain('It is listed again as soon as its time is up, as you asked.');
    expect(said(queued, 'Do Not List Again')).toBe(said(asked, 'Do Not List Again'));
    expect(words(await chat.say(said(asked, 'Do Not List Again')))).toContain('ends with its time');
    expect((await productRow(market, id)).listing?.againAsked).toBeNull();
    expect(words(await chat.say(said([soon as Reply], 'Mark as Sold')))).toContain(
      'is marked as sold',
    );
    expect(await slotOf(market, id)).toBeUndefined();
  });

  test('is good for its seller alone: in another’s chat its buttons find nothing', async () => {
    await chatting(market, { person: seller });
    const { id } = await live(market, seller, admin, { name: { en: 'Hidden treasure' } });
    const [notice] = await notices('productLive');
    const other = await chatting(market, {
      person: otherSeller,
      language: 'en',
      address: 'another',
    });
    for (const label of ['Show Listing', 'Mark as Sold'])
      expect(words(await other.say(said([notice as Reply], label)))).not.toMatch(/treasure|marked/);
    const stranger = await chatting(market, { language: 'en', address: 'nobody' });
    expect(words(await stranger.say(said([notice as Reply], 'Mark as Sold')))).toContain(
      'To mark a listing as sold I must know who you are',
    );
    expect((await productRow(market, id)).soldAt).toBeNull();
  });
});

test('each kind is switched by its number in the chat, for mail and chat alike', async () => {
  const chat = await chatting(market, { person: seller });
  const list = words(await chat.say('notices'));
  const number = /(\d+)\. A product is waiting for review: on/.exec(list)?.[1];
  expect(words(await chat.say(`notices ${number} off`))).toContain(
    'A product is waiting for review: off',
  );
  expect((await ownSwitches(await market.ctx(seller))).filter(({ on }) => !on)).toEqual([
    { kind: 'productSubmitted', on: false },
  ]);
  await submitted(market, seller);
  expect(await market.db.select().from(outbox).where(eq(outbox.kind, 'productSubmitted'))).toEqual(
    [],
  );
  await chat.say(`notices ${number} on`);
  await submitted(market, seller);
  expect(await notices('productSubmitted')).toHaveLength(1);
});

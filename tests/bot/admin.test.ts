import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { noteChannel } from '../../api/chats/channels.ts';
import { writeReplies } from '../../api/chats/replies.ts';
import { edit as editProduct } from '../../api/products/edit.ts';
import { decide } from '../../api/products/review/decide.ts';
import { edit } from '../../api/products/schema.ts';
import { reportListing } from '../../api/reports/report.ts';
import { createProfile } from '../../api/sellers/profile.ts';
import { commands, hasTrait } from '../../bot/understanding/words.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { actors, signInAdmin, withFactor } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { jpeg } from '../support/photos.ts';
import { draft, live, photoRow, productRow, submitted } from '../support/products.ts';
import { chatting, said } from '../support/talk.ts';

const market = await testApp();
const { seller, otherSeller, member, admin } = await actors(market);
const second = await signInAdmin(market, { name: 'Second' });
const { auditLog, chats, outbox, reports, secondFactors, sellers, uploads } = schema;
beforeEach(async () => {
  await market.reset();
  await withFactor(market, admin);
});

const log = async (action: string) =>
  (await market.db.select().from(auditLog).where(eq(auditLog.action, action))).map(
    ({ via, actorId }) => ({ via, actorId }),
  );
const inChat = { via: 'telegram', actorId: admin.userId };
const words = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');

describe('an admin in a chat', () => {
  test('approves with one tap, as the admin and through the chat; the same button of the old message says that it is decided', async () => {
    const { id } = await submitted(market, seller);
    const chat = await chatting(market, { person: admin });
    const tap = said(await chat.say('pending'), 'Approve');
    expect(words(await chat.say(tap))).toContain('Approved.');
    expect((await productRow(market, id)).status).toBe('approved');
    for (let n = 0; n < 2; n++)
      expect(words(await chat.say(tap))).toContain(
        'This product has been approved in the meantime.',
      );
    expect(await log('product.approve')).toEqual([inChat]);
    expect(
      await market.db.select().from(outbox).where(eq(outbox.kind, 'productApproved')),
    ).toHaveLength(1);
  });

  test('rejects with a reason that the seller reads, by the rule of the web’s form', async () => {
    const { id } = await submitted(market, seller);
    const chat = await chatting(market, { person: admin });
    await chat.say(said(await chat.say('pending'), 'Reject'));
    expect(words(await chat.say('x'.repeat(501)))).toContain('500');
    expect((await productRow(market, id)).status).toBe('pending');
    // A reason may begin with a word that is a command elsewhere.
    await chat.say('Price too high, really');
    expect(await productRow(market, id)).toMatchObject({
      status: 'rejected',
      rejectedReason: 'Price too high, really',
    });
    expect(await log('product.reject')).toEqual([inChat]);
  });

  test('is told what another has decided, and decides nothing that was not shown', async () => {
    const first = await submitted(market, seller);
    const chat = await chatting(market, { person: admin });
    const tap = said(await chat.say('pending'), 'Approve');
    await decide(await market.ctx(second), first.id, { action: 'reject', reason: 'Dark photos' });
    expect(words(await chat.say(tap))).toContain('This product has been rejected in the meantime.');
    const other = await submitted(market, otherSeller);
    const seen = said(await chat.say('pending'), 'Approve');
    market.clock.advance({ minutes: 1 });
    const { durationHours: _, listingType: __, paymentMethod: ___, ...shown } = draft();
    const changes = edit.parse({
      ...shown,
      price: 100,
      images: [await photoRow(market, otherSeller)],
    });
    await editProduct(await market.ctx(otherSeller), other.id, changes);
    expect(words(await chat.say(seen))).toContain('changed in the meantime');
    expect((await productRow(market, other.id)).status).toBe('pending');
    expect(words(await chat.say(said(await chat.say('pending'), 'Approve')))).toContain(
      'Approved.',
    );
  });

  test('presses another button while a reason is waited for: that is done, and is nobody’s reason', async () => {
    const first = await submitted(market, seller);
    market.clock.advance({ minutes: 1 });
    const next = await submitted(market, seller);
    const chat = await chatting(market, { person: admin });
    const approve = said(await chat.say('pending 2'), 'Approve');
    await chat.say(said(await chat.say('pending 1'), 'Reject'));
    expect(words(await chat.say(approve))).toContain('Approved.');
    expect([
      (await productRow(market, first.id)).status,
      (await productRow(market, next.id)).status,
    ]).toEqual(['pending', 'approved']);
  });

  test('closes reports that were shown, and later ones stay open', async () => {
    const { id } = await live(market, seller, admin);
    await reportListing(await market.ctx(member), id, { reason: 'fraud' });
    const chat = await chatting(market, { person: admin });
    const tap = said(await chat.say('reports'), 'Dismiss');
    market.clock.advance({ minutes: 1 });
    await reportListing(await market.ctx(otherSeller), id, { reason: 'fraud' });
    await chat.say(tap);
    await chat.say('1');
    const rows = await market.db.select().from(reports).orderBy(reports.createdAt);
    expect(rows.map(({ resolvedAt }) => resolvedAt !== null)).toEqual([true, false]);
    expect(await log('report.resolve')).toEqual([inChat]);
    await chat.say(said(await chat.say('reports'), 'Remove'));
    await chat.say('Stolen');
    expect((await productRow(market, id)).removedAt).not.toBeNull();
  });

  test('loses all of it with the second factor, at once', async () => {
    const { id } = await submitted(market, seller);
    const chat = await chatting(market, { person: admin, language: 'en' });
    const tap = said(await chat.say('pending'), 'Approve');
    await market.db.delete(secondFactors).where(eq(secondFactors.userId, admin.userId));
    await chat.say(tap);
    expect((await productRow(market, id)).status).toBe('pending');
    expect((await chat.row())?.userId).toBeNull();
  });

  test('sends no photo to an own listing without a second factor', async () => {
    const chat = await chatting(market, { person: admin, language: 'en' });
    const { id: sellerId } = await createProfile(asTx(await market.ctx(admin)), admin, {
      name: 'Selling Admin',
      whatsapp: '+237697123456',
      location: 'Douala, Littoral',
    });
    let fetched = 0;
    const send = () =>
      chat.say('', { photos: [{ ref: 'x' }] }, async () => {
        fetched++;
        return jpeg();
      });
    await send();
    expect(fetched).toBe(1);
    await market.db.delete(secondFactors).where(eq(secondFactors.userId, admin.userId));
    await send();
    expect(fetched).toBe(1);
    expect(await market.db.select().from(uploads)).toHaveLength(1);
    await market.db.delete(sellers).where(eq(sellers.id, sellerId));
  });

  test('reads how each network of the bot is connected, with what failed and what waits', async () => {
    const now = market.clock.now();
    await noteChannel(market.job('x'), {
      transport: 'telegram',
      client: 'polling',
      state: 'connected',
      receivedAt: now,
      sentAt: now,
    });
    await noteChannel(market.job('x'), {
      transport: 'whatsapp',
      client: 'cloud',
      state: 'failing',
      failedAt: now,
      failure: '401 (190) Invalid token',
    });
    const chat = await chatting(market, { person: admin, language: 'en' });
    await writeReplies(asTx(market.job('x')), { transport: 'whatsapp', keyHash: chat.keyHash }, [
      { text: 'x' },
    ]);
    const told = words(await chat.say('health'));
    expect(told).toContain('Chat networks');
    expect(told).toMatch(/• Telegram \(asks for messages\): Connected\n {2}Last received: Mon/);
    expect(told).toMatch(
      /• WhatsApp \(official Cloud API\): Failing\n {2}Last received: never\n {2}Last sent: never\n {2}Messages waiting: 1\n {2}Last failure, [^:]+:\d\d: 401/,
    );
    market.clock.advance({ minutes: 5 });
    expect(words(await chat.say('health'))).toContain('• Telegram (asks for messages): Silent');
  });

  test('loses it with the link too, also in the middle of a reason', async () => {
    const { id } = await submitted(market, seller);
    const chat = await chatting(market, { person: admin, language: 'en' });
    await chat.say(said(await chat.say('pending'), 'Reject'));
    await market.db
      .update(chats)
      .set({ userId: null, linkedAt: null })
      .where(eq(chats.keyHash, chat.keyHash));
    const answer = words(await chat.say('Dark photos'));
    expect(answer).not.toContain('Rejected');
    expect((await productRow(market, id)).status).toBe('pending');
  });
});

describe('whoever is no admin', () => {
  test.each([
    ['a stranger', undefined],
    ['a seller', seller],
    ['a member', member],
  ] as const)(
    '%s who types an admin’s commands gets an answer to a buyer’s or a seller’s words, and changes nothing',
    async (_, person) => {
      const { id } = await submitted(market, otherSeller, { name: { en: 'Hidden treasure' } });
      const theirs = await chatting(market, { person: admin });
      const taps = ['Approve', 'Reject'].map(async (label) =>
        said(await theirs.say('pending'), label),
      );
      const chat = await chatting(market, {
        ...(person ? { person } : {}),
        language: 'en',
        address: 'another',
      });
      const typed = languages.flatMap((language) =>
        commands
          .filter((command) => hasTrait(command, 'admin'))
          .flatMap((command) => dictionaries[language].bot.words[command].split(',')),
      );
      for (const text of [...typed.map((phrase) => phrase.trim()), ...(await Promise.all(taps))]) {
        const answer = words(await chat.say(text));
        expect(answer, text).not.toMatch(
          /Hidden|waiting for review|No report is open|Overall|admin/i,
        );
      }
      expect((await productRow(market, id)).status).toBe('pending');
      expect(words(await chat.say('help'))).not.toContain('pending');
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestContact } from '../../../api/contact/request.ts';
import { roleOf } from '../../../api/core/access.ts';
import { recordEvent } from '../../../api/engagement/record.ts';
import { chatKey, openAddress, sealAddress } from '../../../api/people/chats.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { completeProfile } from '../../../api/sellers/profile.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatOf } from '../../support/chat.ts';
import { live, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const who = await actors(market);
const { chats, user, auditLog, engagementEvents, contactRequests, rateLimit } = schema;
beforeEach(() => market.reset());
const secret = 'a secret of the market, long enough';
const address = '237699001234@c.us';

describe('the key of a chat', () => {
  test('is the same each time, and another one for another address, transport or secret', () => {
    const key = chatKey(secret, 'whatsapp', address);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(chatKey(secret, 'whatsapp', address)).toBe(key);
    const others = [
      chatKey(secret, 'whatsapp', '1'),
      chatKey(secret, 'telegram', address),
      chatKey('another secret', 'whatsapp', address),
    ];
    expect(new Set([key, ...others]).size).toBe(4);
  });
});

describe('the address of a chat', () => {
  const sealed = sealAddress(secret, 'whatsapp', address);

  test('is sealed differently each time, and opened whole', () => {
    const again = sealAddress(secret, 'whatsapp', address);
    expect(again.keyHash).toBe(sealed.keyHash);
    expect(again.sealedAddress).not.toBe(sealed.sealedAddress);
    for (const one of [sealed, again]) expect(openAddress(secret, one)).toBe(address);
    expect(openAddress(secret, sealAddress(secret, 'telegram', 'é 😀'))).toBe('é 😀');
  });

  test('does not open where a byte was changed, cut off or added', () => {
    const bytes = Buffer.from(sealed.sealedAddress, 'base64url');
    const changed = Array.from(bytes, (byte, at) => Buffer.from(bytes).fill(byte ^ 1, at, at + 1));
    for (const forged of [
      ...changed,
      bytes.subarray(1),
      bytes.subarray(0, -1),
      bytes.subarray(0, 27),
      Buffer.concat([bytes, bytes.subarray(0, 1)]),
      Buffer.alloc(0),
    ])
      expect(() =>
        openAddress(secret, { ...sealed, sealedAddress: forged.toString('base64url') }),
      ).toThrow();
  });

  test('does not open with another secret, nor in another chat’s row', () => {
    expect(() => openAddress('another secret', sealed)).toThrow();
    expect(() => openAddress(secret, { ...sealed, transport: 'telegram' })).toThrow();
    expect(() =>
      openAddress(secret, { ...sealed, keyHash: chatKey(secret, 'whatsapp', 'mine') }),
    ).toThrow();
  });

  test('is kept by the database as nothing but sealed, under its hash', async () => {
    const refusal = market.sql`insert into chats (transport, key_hash, sealed_address, created_at) values ('whatsapp', ${address}, 'x', now())`;
    await expect(refusal).rejects.toMatchObject({ constraint_name: 'chats_key_hashed' });
  });

  test('is opened by nobody but the sender', () => {
    const files = ['api', 'bot', 'jobs', 'site/src'].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
    );
    const opening = files
      .filter((file) => file.endsWith('.ts') && readFileSync(file, 'utf8').includes('openAddress'))
      .sort();
    expect(opening).toEqual([
      'api/people/chats.ts',
      'bot/delivery/chatPost.ts',
      'bot/transports/demo/transport.ts',
    ]);
  });

  test('is nowhere in the outbox, the audit log, the limits, the counts or the log, whatever the chat does', async () => {
    const place = await live(market, who.seller, who.admin);
    const { id } = await submitted(market, who.seller);
    const input = { transport: 'whatsapp', address } as const;
    const stranger = await chatOf(market, undefined, input);
    await requestContact(stranger, place.id, true);
    await recordEvent(stranger, { slotId: place.slotId, productId: place.id, type: 'view' });
    await reportListing(stranger, place.id, { reason: 'fraud' });
    await approve(await chatOf(market, who.admin, input), id);
    const { name, location } = who.seller;
    await completeProfile(await chatOf(market, who.seller, input), { name, location });
    const tables = await Promise.all(
      [
        'outbox',
        'audit_log',
        'rate_limit',
        'contact_requests',
        'engagement_events',
        'reports',
        'chats',
      ].map((table) => market.sql.unsafe(`select * from ${table}`)),
    );
    for (const rows of tables) expect(rows.length).toBeGreaterThan(0);
    const written = JSON.stringify([...tables, market.logged]);
    for (const part of [address, '699001234']) expect(written).not.toContain(part);
    expect(written).toContain(chatKey(market.services.secret, 'whatsapp', address));
  });
});

describe('whoever writes in a chat', () => {
  test('is who the linked account is, read anew with each message', async () => {
    const roles = ['member', 'seller', 'suspendedSeller', 'admin'] as const;
    for (const role of roles) expect(roleOf((await chatOf(market, who[role])).actor)).toBe(role);
    const stranger = await chatOf(market);
    expect(stranger).toMatchObject({ via: 'telegram', actor: { kind: 'visitor' } });
  });

  test('is a visitor again when the account is gone', async () => {
    const gone = await signUpMember(market);
    await chatOf(market, gone);
    await market.db.delete(user).where(eq(user.id, gone.userId));
    expect(await market.db.select().from(chats)).toMatchObject([{ userId: null }]);
  });

  test('is answered in the language chosen in the chat, else in the account’s', async () => {
    await market.db.update(user).set({ language: 'fr' }).where(eq(user.id, who.member.userId));
    expect((await chatOf(market, who.member, { language: 'en' })).language).toBe('en');
    expect((await chatOf(market, who.member, { address: 'none chosen' })).language).toBe('fr');
    expect((await chatOf(market, undefined, { language: 'fr' })).language).toBe('fr');
    expect((await chatOf(market, undefined, { address: 'new' })).language).toBe('en');
  });

  test('stands in the audit log as the same person, with the way that was taken', async () => {
    const [first, second] = [
      await submitted(market, who.seller),
      await submitted(market, who.seller),
    ];
    await approve(await market.ctx(who.admin), first.id);
    await approve(await chatOf(market, who.admin), second.id);
    await approve(market.job('x'), (await submitted(market, who.seller)).id);
    const { userId: actorId } = who.admin;
    const lines = await market.db.select().from(auditLog).orderBy(auditLog.id);
    expect(lines).toMatchObject([
      { actorKind: 'admin', actorId, via: 'web' },
      { actorKind: 'admin', actorId, via: 'telegram' },
      { actorKind: 'job', actorId: null, via: 'job' },
    ]);
  });
});

describe('counting and limits in chats', () => {
  test('take a stranger’s chat for one visitor: its views and its tap are the same person’s', async () => {
    const place = await live(market, who.seller, who.admin);
    const stranger = await chatOf(market);
    const view = { slotId: place.slotId, productId: place.id, type: 'view' } as const;
    expect(await recordEvent(stranger, view)).toBe(true);
    expect(await recordEvent(await chatOf(market), view)).toBe(false);
    await requestContact(stranger, place.id, true);
    const visitors = (await market.db.select().from(engagementEvents)).map(
      ({ visitor }) => visitor,
    );
    expect(visitors).toEqual([stranger.client.visitor, stranger.client.visitor]);
    expect(await recordEvent(await chatOf(market, undefined, { address: 'another' }), view)).toBe(
      true,
    );
  });

  test('take a linked chat for its account, as the web does', async () => {
    const place = await live(market, who.seller, who.admin);
    await requestContact(await chatOf(market, who.member), place.id, true);
    await requestContact(await market.ctx(who.member), place.id, true);
    const visitor = `account:${who.member.userId}`;
    expect(await market.db.select().from(contactRequests)).toMatchObject([
      { visitor },
      { visitor },
    ]);
  });

  test('do not make all chats share one limit of an address', async () => {
    const place = await live(market, who.seller, who.admin);
    for (let n = 0; n < 3; n++)
      await reportListing(await chatOf(market, undefined, { address: `chat ${n}` }), place.id, {
        reason: 'fraud',
      });
    const counters = (await market.db.select().from(rateLimit)).filter(({ key }) =>
      key.startsWith('report:'),
    );
    expect(counters.map(({ hits }) => hits.length)).toEqual([1, 1, 1]);
  });

  test('take an account’s changes together, wherever they are made', async () => {
    const { name, location } = who.seller;
    market.services.load = { ...market.services.load, changes: { max: 2, windowSeconds: 3600 } };
    await completeProfile(await market.ctx(who.seller), { name, location });
    await completeProfile(await chatOf(market, who.seller), { name, location });
    await refused(
      completeProfile(await chatOf(market, who.seller, { transport: 'whatsapp' }), {
        name,
        location,
      }),
      'sellers.changedOften',
    );
  });
});

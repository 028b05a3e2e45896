import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../api/core/transaction.ts';
import {
  compose,
  composeForChat,
  type Message,
  writeMessages,
} from '../../../api/outbox/outbox.ts';
import { schema, violatedConstraint } from '../../../db/client.ts';
import { dictionaries } from '../../../locales/index.ts';
import { testApp } from '../../support/app.ts';
import { deliverOutbox } from '../../support/mail.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
beforeEach(() => market.reset());
const { outbox } = schema;
const rows = () => market.db.select().from(outbox);
const letter = {
  channel: 'email',
  recipient: 'ngono@example.test',
  userId: null,
  name: 'Ngono',
  language: 'en',
  kind: 'productRejected',
  params: { product: 'Chair', reason: 'Dark photos' },
} as const;
const write = (overrides: Partial<Message> = {}) =>
  writeMessages(market.job('x'), [{ ...letter, ...overrides }]);
const deliver = () => deliverOutbox(market.job('deliver-outbox'));

describe('the outbox', () => {
  test('keeps a mail until it is delivered, once', async () => {
    await write();
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    expect(market.mails.delivered).toHaveLength(1);
    expect(await rows()).toMatchObject([
      { state: 'sent', attempts: 1, sentAt: market.clock.now(), lastError: null },
    ]);
  });

  test('keeps the secret of a link sealed for its recipient, and goes out all the same when it cannot be opened any more', async () => {
    const link = 'http://market.test/en/account?confirm=aSecretOfSomebody&next=%2Fx';
    await write({ kind: 'confirmEmail', link });
    const [row] = await rows();
    expect(`${row?.bodyText}${row?.bodyHtml}`).not.toContain('aSecretOfSomebody');
    await deliver();
    const [mail] = market.mails.delivered;
    expect(mail?.text).toContain(`\n${link}\n`);
    expect(mail?.html.split('confirm=aSecretOfSomebody')).toHaveLength(3);

    await write({ kind: 'confirmEmail', link });
    await market.db.update(outbox).set({ recipient: 'another@example.test' });
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(market.mails.delivered[1]?.text).toMatch(/confirm=sealed\.[\w-]+&next=/);
    expect(market.logged).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'The link of a letter was sealed with another secret',
      }),
    );
  });

  test('delivers mails of one moment in the order in which they were written, wherever their rows lie', async () => {
    for (const to of ['first@example.test', 'second@example.test', 'third@example.test'])
      await write({ recipient: to });
    // An update moves the row's new version behind the others.
    const at = market.clock.now();
    for (const nextAttemptAt of [new Date(0), at])
      await market.db
        .update(outbox)
        .set({ nextAttemptAt })
        .where(eq(outbox.recipient, 'first@example.test'));
    await deliver();
    expect(market.mails.delivered.map(({ to }) => to)).toEqual([
      'first@example.test',
      'second@example.test',
      'third@example.test',
    ]);
  });

  test('loses the mail together with a transaction that fails', async () => {
    const failing = inTransaction(market.job('x'), async (tx) => {
      await writeMessages(tx, [letter]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  test('delivers nothing before its transaction has committed', async () => {
    await inTransaction(market.job('x'), async (tx) => {
      await writeMessages(tx, [letter]);
      expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    });
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  });

  test('is emptied by two deliverers at once without sending anything twice', async () => {
    for (let n = 0; n < 20; n++) await write({ recipient: `person${n}@example.test` });
    const other = market.database.another({ max: 2 });
    const runs = await Promise.all([
      deliver(),
      deliver(),
      deliverOutbox(market.job('x', other.db)),
    ]);
    expect(runs.reduce((sum, run) => sum + run.sent, 0)).toBe(20);
    expect(new Set(market.mails.delivered.map((mail) => mail.to)).size).toBe(20);
    expect(market.mails.delivered).toHaveLength(20);
  });

  test('tries again after 30 s, 1, 2, 4 … minutes and gives up after eight times', async () => {
    await write();
    market.mails.refuse('450 mailbox busy');
    const waits = [30, 60, 120, 240, 480, 960, 1920];
    for (const seconds of waits) {
      expect(await deliver()).toEqual({ sent: 0, failed: 1 });
      market.clock.advance({ seconds: seconds - 1 });
      expect(await deliver()).toEqual({ sent: 0, failed: 0 });
      market.clock.advance({ seconds: 1 });
    }
    expect(await rows()).toMatchObject([
      { state: 'waiting', attempts: 7, lastError: '450 mailbox busy' },
    ]);
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 8, sentAt: null }]);
    market.mails.refuse();
    market.clock.advance({ days: 30 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  });

  test('delivers when the mail server is back, and forgets the reason', async () => {
    await write();
    market.mails.refuse('450 mailbox busy');
    await deliver();
    market.mails.refuse();
    market.clock.advance({ seconds: 30 });
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2, lastError: null }]);
  });

  test('does not let one mail that fails hold up the others', async () => {
    await write({ recipient: 'bad@example.test' });
    market.clock.advance({ seconds: 1 });
    await write({ recipient: 'good@example.test' });
    const mailer = {
      ...market.services.mailer,
      send: async (mail: { to: string }) =>
        void (mail.to.startsWith('bad')
          ? await Promise.reject(new Error('no such user'))
          : undefined),
    };
    const ctx = market.job('x');
    expect(await deliverOutbox({ ...ctx, services: { ...ctx.services, mailer } })).toEqual({
      sent: 1,
      failed: 1,
    });
  });

  test('tells waiting processes that there is something to deliver', async () => {
    const news: string[] = [];
    const listener = await market.sql.listen('outbox', (payload) => news.push(payload));
    await write();
    await expect.poll(() => news).toEqual(['waiting']);
    await listener.unlisten();
  });

  test('leaves chat messages to the chat', async () => {
    await write();
    await market.db.execute(
      sql`update outbox set channel = 'telegram', recipient = ${'0'.repeat(64)}`,
    );
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  });
});

describe('a chat message', () => {
  test('says the same as the mail, without greeting, signature and what is said of mails', () => {
    const words = {
      name: 'Ngono',
      language: 'en',
      kind: 'productRejected',
      params: letter.params,
      link: 'http://market.test/en/seller/dashboard',
    } as const;
    expect(composeForChat(words)).toEqual({
      subject: '“Chair” was not approved',
      text: [
        '“Chair” was not approved',
        'Our team has reviewed “Chair” and could not approve it.',
        'Reason: Dark photos',
        'Your product is kept on your dashboard. You can correct it and submit it again.',
        'Correct My Product\nhttp://market.test/en/seller/dashboard',
      ].join('\n\n'),
    });
  });

  test('is written for the keyed hash of its chat, and the database refuses an address', async () => {
    await write({ channel: 'telegram', recipient: 'a'.repeat(64) });
    expect(await rows()).toMatchObject([
      { channel: 'telegram', recipient: 'a'.repeat(64), bodyHtml: '' },
    ]);
    const refusal = await write({ channel: 'whatsapp', recipient: '+237699001234' }).catch(
      violatedConstraint,
    );
    expect(refusal).toBe('outbox_chat_hashed');
  });
});

describe('a mail', () => {
  test('has greeting, lines, the link under its words, signature and footer', () => {
    const { subject, text } = compose({
      name: 'Ngono',
      language: 'en',
      kind: 'verifyEmail',
      link: 'http://market.test/en/email-verification?token=abc',
    });
    expect(subject).toBe('Confirm your email address');
    expect(text).toMatch(
      /^Hello Ngono,\n\nWelcome to Marché 54\.[\s\S]*Confirm My Email\nhttp:\/\/market\.test\/en\/email-verification\?token=abc\n\nThe Marché 54 team/,
    );
    expect(text).toContain('This link is valid for 24 hours');
  });

  test.each(['en', 'fr'] as const)(
    'to somebody who has no account yet does not say that they have one, in %s',
    (language) => {
      const words = dictionaries[language].mail.common;
      for (const kind of ['verifyEmail', 'verifyMember'] as const) {
        const { text, html } = compose({ name: '', language, kind, link: 'http://market.test/x' });
        for (const written of [text, html]) {
          expect(written).toContain(words.footerSignUp);
          expect(written).not.toContain(words.footer);
        }
      }
      expect(compose({ name: 'x', language, kind: 'passwordChanged' }).text).toContain(
        words.footer,
      );
    },
  );

  test('is French for who reads French', () => {
    const { subject, text, html } = compose({
      name: 'Fotso',
      language: 'fr',
      kind: 'resetPassword',
      link: 'http://market.test/x',
    });
    expect(subject).toBe('Choisissez un nouveau mot de passe');
    expect(text).toMatch(/^Bonjour Fotso,/);
    expect(html).toContain('<html lang="fr">');
  });

  test('greets somebody without a name', () => {
    expect(compose({ name: '', language: 'fr', kind: 'passwordChanged' }).text).toMatch(
      /^Bonjour,\n/,
    );
  });

  test('leaves out a line about something that it does not have', () => {
    const withFee = compose({
      name: 'x',
      language: 'en',
      kind: 'productSubmitted',
      params: { product: 'Chair', fee: 'XAF 3,000', reference: 'M54-AAAA-BBBB' },
    });
    expect(withFee.text).toContain('Listing fee: XAF 3,000. Reference: M54-AAAA-BBBB.');
    const without = compose({
      name: 'x',
      language: 'en',
      kind: 'productSubmitted',
      params: { product: 'Chair' },
    });
    expect(without.text).not.toMatch(/fee|\{\{/);
  });

  test('writes what people typed as text, never as HTML', () => {
    const { html, text } = compose({
      name: '<script>x</script>',
      language: 'en',
      kind: 'productRejected',
      params: { product: '"><img src=x>', reason: 'a & b' },
      link: 'http://market.test/?a=1&b="',
    });
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain('a &amp; b');
    expect(html).toContain('href="http://market.test/?a=1&amp;b=&quot;"');
    expect(text).toContain('a & b');
  });

  test('does not read braces that people typed as places to fill', () => {
    const { text } = compose({
      name: '{{reason}}',
      language: 'en',
      kind: 'productRejected',
      params: { product: '{{reason}}', reason: 'secret words' },
    });
    expect(text.split('secret words')).toHaveLength(2);
  });

  const mail = dictionaries.en.mail as Record<string, Record<string, string>>;
  const kinds = Object.keys(mail).filter((kind) => 'subject' in (mail[kind] ?? {}));
  for (const kind of kinds) {
    for (const language of ['en', 'fr'] as const) {
      test(`“${kind}” in ${language} leaves no placeholder open`, () => {
        const names = [...JSON.stringify(mail[kind]).matchAll(/\{\{(\w+)\}\}/g)].map(
          ([, name]) => name as string,
        );
        const params = Object.fromEntries(names.map((name) => [name, `[${name}]`]));
        const { subject, text, html } = compose({
          name: 'Ngono',
          language,
          kind: kind as never,
          params,
          link: 'http://market.test/',
        });
        expect(subject.length).toBeGreaterThan(0);
        for (const part of [subject, text, html])
          expect(part).not.toMatch(/\{\{|undefined|\[object/);
        for (const name of names) expect(plain(`${subject} ${text}`)).toContain(`[${name}]`);
      });
    }
  }
});

import { beforeEach, describe, expect, test } from 'vitest';
import { changeDraft } from '../../api/drafts/changeDraft.ts';
import { ownDraft } from '../../api/drafts/draft.ts';
import { readUpdate } from '../../bot/transports/telegram/update.ts';
import { readDelivery } from '../../bot/transports/whatsapp/cloud/update.ts';
import { readMessage } from '../../bot/transports/whatsapp/web/update.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { chatOf } from '../support/chat.ts';
import { cloud, cloudDelivery, cloudMessage } from '../support/cloudApi.ts';
import { uploadPhoto } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp();
const { seller } = await actors(market);
beforeEach(() => market.reset());
const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');
const words = {
  en: { join: 'join', draft: 'my draft', yes: 'yes', no: 'no', stop: 'stop' },
  fr: { join: 'inscription', draft: 'mon brouillon', yes: 'oui', no: 'non', stop: 'stop' },
} as const;

describe.each(languages)('an edited message, in %s', (language) => {
  const { edited, join } = dictionaries[language].bot;
  const said = words[language];

  test('corrects the last answer, and no older one, while joining; consent never', async () => {
    const chat = await chatting(market, { language, transport: 'whatsapp' });
    const number = language === 'en' ? '+237697510001' : '+237697510002';
    const write = async (text: string, id: string) => texts(await chat.say(text, { number, id }));
    const edit = async (text: string, edits: string) =>
      texts(await chat.say(text, { number, edits }));
    await write(said.join, '1');
    await write('Ewondo Mari', '2');
    expect(await edit('Ewondo Mary', '2')).toContain(join.place);
    expect(await edit('Ewondo Marie', '2')).toContain(join.place);
    expect(await write('Kribi', '3')).toContain(join.terms);
    expect(await edit('Ewondo Jeanne', '2')).toBe(edited);
    await write('?', '4');
    expect(await edit(said.yes, '4')).toBe(edited);
    expect(await market.db.select().from(schema.sellers)).not.toContainEqual(
      expect.objectContaining({ whatsapp: number }),
    );
    await write(said.yes, '5');
    expect(await market.db.select().from(schema.sellers)).toContainEqual(
      expect.objectContaining({ whatsapp: number, name: 'Ewondo Marie' }),
    );
  });

  test('corrects a draft while it is open, and begins nothing', async () => {
    await changeDraft(await chatOf(market, seller), { add: await uploadPhoto(market, seller) });
    await market.db.update(schema.user).set({ language });
    const chat = await chatting(market, { language, person: seller });
    await chat.say(said.draft, { id: '1' });
    await chat.say('Samsnug A14', { id: '2' });
    const [again] = await chat.say('Samsung A14', { edits: '2' });
    expect(again?.text).not.toContain(edited);
    const { draft } = await ownDraft(await chatOf(market, seller));
    expect(draft?.answers[`name.${language}`]).toBe('Samsung A14');

    const other = await chatting(market, { language, address: 'another' });
    await other.say('radio', { id: '1' });
    expect(texts(await other.say(said.join, { edits: '1' }))).toBe(edited);
    await other.say('radio', { id: '2' });
    expect(texts(await other.say(said.stop, { edits: '2' }))).toBe(
      texts(await (await chatting(market, { language, address: 'third' })).say(said.stop)),
    );
  });
});

describe('edits as networks deliver them', () => {
  const chat = { id: 7, type: 'private' };
  const message = { message_id: 31, chat, date: 1_790_000_000, edit_date: 1_790_000_060 };
  const heard = (edited: object) => readUpdate(1, { update_id: 5, edited_message: edited });

  test('Telegram: words count, places that move and groups do not', () => {
    expect(heard({ ...message, text: 'Samsung' })).toEqual({
      message: {
        transport: 'telegram',
        address: '7',
        updateId: '1:5',
        at: new Date(1_790_000_060_000),
        message: { text: 'Samsung', edits: '31' },
      },
    });
    expect(heard({ ...message, location: { latitude: 4, longitude: 9 } })).toBeUndefined();
    expect(heard({ ...message, chat: { id: 7, type: 'group' }, text: 'x' })).toBeUndefined();
    expect(readUpdate(1, { update_id: 6, message: { ...message, text: 'Samsnug' } })).toMatchObject(
      {
        message: { message: { text: 'Samsnug', id: '31' } },
      },
    );
  });

  test('WhatsApp: an edit names the message that it replaces, without its number', () => {
    const { secret } = market.services;
    const whole = {
      id: 'false_237699001001@c.us_3EB0',
      from: '237699001001@c.us',
      fromMe: false,
      type: 'chat',
      body: 'Samsnug',
      timestamp: 1_790_000_000,
    };
    const first = readMessage(secret, whole);
    const second = readMessage(secret, { ...whole, body: 'Samsung', edited: true });
    expect(second?.message).toMatchObject({ text: 'Samsung', edits: first?.message.id });
    expect(second?.updateId).not.toBe(first?.updateId);
    expect(JSON.stringify(second?.message.edits)).not.toContain('237699');

    const original = cloudMessage('237699001001', 'Samsnug');
    const edit = cloudMessage('237699001001', {
      type: 'edit',
      edit: {
        original_message_id: original.id,
        message: { type: 'text', text: { body: 'Samsung' } },
      },
    });
    const [one, two] = readDelivery(
      { phoneId: cloud.phoneId, secret },
      JSON.parse(cloudDelivery([original, edit]).body),
    );
    expect(two?.message).toMatchObject({ text: 'Samsung', edits: one?.message.id });
  });
});

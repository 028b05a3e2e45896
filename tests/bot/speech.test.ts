import { readFileSync, writeFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import type { Transport } from '../../api/people/chats.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { inWords } from '../../bot/delivery/shown.ts';
import { readUpdate } from '../../bot/transports/telegram/update.ts';
import { schema } from '../../db/client.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live } from '../support/products.ts';
import { chatting, written } from '../support/talk.ts';

/** Ordinary sentences in whole conversations; the linked phone shows buttons as numbers. */
const market = await testApp();
const admin = await signInAdmin(market, { name: 'Admin' });
const seller = await signUpSeller(market, { name: 'Ngo Biyong' });
beforeEach(() => market.reset());

async function stalls(): Promise<void> {
  await live(market, seller, admin, {
    name: { en: 'Tecno smartphone', fr: 'Téléphone Tecno Spark' },
    description: { en: 'Nearly new.', fr: 'Presque neuf.' },
  });
  market.clock.advance({ minutes: 1 });
  await live(market, seller, admin, {
    name: { en: 'Solar lantern', fr: 'Lanterne solaire' },
    description: {
      en: 'Charges a phone too. The seller smokes fish to sell.',
      fr: 'Charge aussi un téléphone. Le fumoir est à vendre à part.',
    },
    price: 15_000,
  });
  await writeSetting(market.job('test'), 'contactEmail', 'team@market.test');
}

const sentences: Record<Language, string[]> = {
  fr: [
    'bonjour',
    'je veux acheter un téléphone',
    'je veux le contact du 12',
    'le numero du 12',
    'numero 7 svp',
    'contacter le vendeur du 12',
    'je veux le 12',
    'contact',
    'wé',
    'c combien',
    "c'est encore dispo ?",
    'téléphone moins de 70 mille',
    'telefone',
    'wé',
    'je veux vendre',
    'statut',
    'où en est mon annonce',
    'prolonger',
    'Retour au marché',
    'xyzzy plugh',
    '5',
    'arnaque',
    'voir 11',
    'mon tel 677 00 00 00',
    "j'ai 3 enfants",
    'taille 44 seulement',
    'le douze',
    'montre le cinquante-quatre',
    'pas le 12, le 11',
    'le vendeur du 12 ment',
    'je ne suis pas vendeur, je cherche un vélo',
    'combien vous prenez pour afficher',
    'il me reste combien de crédits',
    'téléphone entre 50 et 90 mille',
    'le 11 est déjà vendu ?',
    'merci 👍',
    'plus de message svp',
  ],
  en: [
    'hello',
    'I want to buy a phone',
    'I want the number of 12',
    'the number of 12 pls',
    'number 7 please',
    'contact the seller of 12',
    'i want number 12',
    'contact',
    'yeah',
    'how much',
    'is it still available?',
    'phone under 70k',
    'fone',
    'yeah',
    'I want to sell',
    'status',
    'where is my listing',
    'extend',
    'Back to Market',
    'xyzzy plugh',
    '5',
    'scam',
    'show 11',
    'my number na 677 00 00 00',
    'i have 3 children',
    'size 44 only',
    'number twelve',
    'show me fifty-four',
    'not 12, 11',
    'the seller of 12 is lying',
    'i am not selling, i need a bike',
    'do you charge sellers',
    'how many credits do i have left',
    'phone between 50 and 90k',
    'has 11 been sold',
    'thanks 👍',
    'no more texts abeg',
  ],
};

const settled = (text: string): string =>
  text.replaceAll(/\b[0-9a-f]{8}\b/g, '1a2b3c4d').replaceAll(/\b237\d{9}\b/g, '237699001001');

describe.each(languages)('sentences in %s', (language) => {
  test('are answered alike on every network, as recorded', async () => {
    await stalls();
    const spoken: Record<string, string> = {};
    for (const [network, transport] of [
      ['telegram', 'telegram'],
      ['whatsapp', 'whatsapp'],
      ['linked', 'whatsapp'],
    ] as [string, Transport][]) {
      const chat = await chatting(market, { address: `${network} ${language}`, transport });
      const parts: string[] = [];
      for (const line of sentences[language]) {
        parts.push(`> ${line}`);
        for (const reply of await chat.say(line))
          parts.push(
            network === 'linked'
              ? await inWords(market.job('chat'), chat.keyHash, language, reply, 4000)
              : written(reply),
          );
        parts.push('');
      }
      spoken[network] = settled(parts.join('\n'));
    }
    expect(spoken.whatsapp).toBe(spoken.telegram);
    for (const network of ['telegram', 'linked']) {
      const file = new URL(`transcripts/sentences-${network}.${language}.txt`, import.meta.url);
      if (process.env.WRITE_TRANSCRIPTS) writeFileSync(file, spoken[network] as string);
      expect(spoken[network]).toBe(readFileSync(file, 'utf8'));
    }
  });

  test('never become a confident wrong search', async () => {
    await stalls();
    const chat = await chatting(market, { address: `wrong ${language}`, language });
    const wrong = {
      en: ['I want to sell', 'yeah', 'zorglub'],
      fr: ['je veux vendre', 'wé', 'zorglub'],
    };
    for (const line of wrong[language])
      expect((await chat.say(line)).map(({ text }) => text).join(), line).not.toMatch(/#1[12]/);
    const [phones] = await chat.say(language === 'en' ? 'phone' : 'téléphone');
    expect(phones?.text.indexOf('Tecno')).toBeGreaterThan(0);
    expect(phones?.text.indexOf('Tecno')).toBeLessThan(phones?.text.search(/[Ll]antern/) ?? 0);
  });
});

describe('the language', () => {
  const first = async (text: string, spoken?: string) => {
    const chat = await chatting(market, { address: `${text} ${spoken}` });
    const replies = await chat.say(text, spoken === undefined ? {} : { language: spoken });
    return { chat, replies, kept: (await chat.row())?.language };
  };

  test('is that of the words, else of the person’s app, with the other one as a button', async () => {
    expect((await first('bonjour', 'en')).kept).toBe('fr');
    expect((await first('hello', 'fr')).kept).toBe('en');
    expect((await first('12', 'fr')).kept).toBe('fr');
    expect((await first('voir 12')).kept).toBe('fr');
    const { chat, replies } = await first('/start', 'fr');
    expect(replies[0]?.buttons?.at(-1)).toEqual([
      { label: 'English?', say: 'language en' },
      { label: 'Confidentialité', url: `${market.env.publicUrl}/fr/privacy` },
    ]);
    await chat.say('English?');
    expect((await chat.row())?.language).toBe('en');
  });

  test('that nothing spoke for follows the first words', async () => {
    const { chat, kept } = await first('12');
    expect(kept).toBe('en');
    expect((await chat.say('c combien le 12'))[0]?.text).toMatch(/emplacement/);
  });

  test('is delivered by Telegram', () => {
    const chat = { id: 1, type: 'private' };
    const message = { message_id: 1, chat, from: { id: 1, language_code: 'fr-CM' }, text: 'x' };
    expect(readUpdate(1, { update_id: 1, message })).toMatchObject({
      message: { message: { text: 'x', language: 'fr' } },
    });
  });

  test('of the chat stays when it is linked', async () => {
    await market.db
      .update(schema.user)
      .set({ language: 'en' })
      .where(eq(schema.user.id, seller.userId));
    const { chat } = await first('bonjour');
    await chat.say(`lier ${(await newLinkCode(await market.ctx(seller))).code}`);
    expect((await chat.say('oui'))[0]?.text).toMatch(/agit maintenant/);
    expect((await chat.say('aide'))[0]?.text).toMatch(/Écrivez/);
  });
});

test('the caption of a buyer’s photo is answered', async () => {
  await stalls();
  const chat = await chatting(market, { language: 'fr' });
  const [reply] = await chat.say('c combien le 12 ?', { photos: [{ ref: 'x' }] });
  expect(reply?.text).toMatch(/#12 Lanterne solaire[\s\S]*15.000/);
});

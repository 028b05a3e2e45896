import { readFileSync, writeFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { respond } from '../../api/connect/respond.ts';
import { newPost } from '../../api/connect/schema.ts';
import { edit as editProduct } from '../../api/products/edit.ts';
import { edit } from '../../api/products/schema.ts';
import { checkHealth } from '../../api/upkeep/check.ts';
import { schema } from '../../db/client.ts';
import { type Language, languages } from '../../locales/languages.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
  unsuspend,
  withFactor,
} from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant } from '../support/credits.ts';
import { jpeg, textFile } from '../support/photos.ts';
import {
  approved,
  draft,
  live,
  photoRow,
  runQueue,
  submitted,
  uploadPhoto,
} from '../support/products.ts';
import { chatting, said, written } from '../support/talk.ts';

const market = await testApp();
const admin = await signInAdmin(market, { name: 'Admin' });
const seller = await signUpSeller(market, { name: 'Ngo Biyong' });
const member = await signUpMember(market, { name: 'Atangana' });
const { user } = schema;
beforeEach(() => market.reset());

const place = (city: string) => ({ sellerLocation: city });
async function stalls(): Promise<void> {
  await live(market, seller, admin, {
    name: { en: 'Samsung Galaxy A14', fr: 'Samsung Galaxy A14, comme neuf' },
  });
  market.clock.advance({ minutes: 1 });
  await live(market, seller, admin, {
    name: { en: 'Leather handbag', fr: 'Sac à main en cuir' },
    description: { en: 'Handmade in Foumban, brown.', fr: 'Fait main à Foumban, marron.' },
    category: 'fashion',
    price: 15_000,
    ...place('Bafoussam, West'),
  });
  market.clock.advance({ minutes: 1 });
  await submitted(market, seller, { name: { en: 'Garden chair', fr: 'Chaise de jardin' } });
}

/** Replaces random values: ids, codes, tokens, references. */
const settled = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{32} ([pclt])\w+/g, '1a2b3c4d… $1…')
    .replaceAll(
      /(?<=(?:\b[Rr](?:eference|éférence) |connect\/))[a-hjkmnp-z2-9]{8}|\b[a-hjkmnp-z2-9]{8}(?= t\w{8})/g,
      'wxyz2345',
    )
    .replaceAll(/\b[0-9a-f]{32}\b/g, '1a2b3c4d…')
    .replaceAll(/(?<=wxyz2345 t)\w+/g, '…')
    .replaceAll(/\b[0-9a-f]{8}\b/g, '1a2b3c4d')
    .replaceAll(/(?<=products\/)[0-9a-f-]{36}/g, '1a2b3c4d…')
    .replaceAll(/token=[\w-]+/g, 'token=…')
    .replaceAll(/M54-\w{4}-\w{4}/g, 'M54-ABCD-2345')
    .replaceAll(/\b237( ?)6\d\d( ?\d\d){3}\b/g, (_, gap) =>
      gap ? '237 699 00 10 01' : '237699001001',
    );

type Line =
  | string
  | (() => Promise<string>)
  | { number: string }
  | { photo: () => Promise<Buffer>; album?: string };
async function sends(
  chat: Awaited<ReturnType<typeof chatting>>,
  line: Exclude<Line, string | (() => Promise<string>)>,
) {
  if ('number' in line)
    return {
      shown: '(shares the own number)',
      replies: await chat.say('', { number: line.number }),
    };
  const { photo, ...album } = line;
  return {
    shown: '(sends a photo)',
    replies: await chat.say('', { photos: [{ ref: 'x', ...album }] }, () => photo()),
  };
}

/** Sends the messages in order and records the conversation. */
async function talk(
  language: Language,
  name: string,
  chat: Awaited<ReturnType<typeof chatting>>,
  said: Line[],
): Promise<void> {
  const parts: string[] = [];
  for (const one of said) {
    if (typeof one === 'object') {
      const { shown, replies } = await sends(chat, one);
      parts.push(`> ${shown}`, ...replies.map(written), '');
      continue;
    }
    const text = typeof one === 'string' ? one : await one();
    const replies = await chat.say(text);
    expect(replies.length, text).toBeGreaterThan(0);
    const shown =
      typeof one === 'string'
        ? text
        : text.replace(/[A-Z0-9]{4}-[A-Z0-9]{4}/, 'ABCD-2345').replace(/[0-9a-f]{8}/, '1a2b3c4d');
    parts.push(`> ${shown}`, ...replies.map(written), '');
  }
  const file = new URL(`transcripts/${name}.${language}.txt`, import.meta.url);
  const now = `${settled(parts.join('\n'))}`;
  if (process.env.WRITE_TRANSCRIPTS) writeFileSync(file, now);
  expect(now).toBe(readFileSync(file, 'utf8'));
}

const inEach = { en: languages[0], fr: languages[1] };
const pick = (language: Language, en: string, fr: string) => (language === 'en' ? en : fr);
const speaks = (person: Person, language: Language) =>
  market.db.update(user).set({ language }).where(eq(user.id, person.userId));

describe.each(Object.values(inEach))('a conversation in %s', (language) => {
  const l = (en: string, fr: string) => pick(language, en, fr);

  test('with a stranger who buys', async () => {
    await stalls();
    const chat = await chatting(market);
    await talk(language, 'buyer', chat, [
      '/start',
      l('english', 'Français'),
      l('help', 'AIDE'),
      l('market', 'marche'),
      l('premium', 'premium'),
      l('categories', 'catégories'),
      l('category fashion', 'categorie mode'),
      l('places', 'lieux'),
      l('place bafoussam', 'lieu Bafoussam'),
      l('price', 'prix'),
      l('price 10000 20000', 'prix 10000 20000'),
      l('find phone under 100k', 'chercher samsung moins de 100 000'),
      l('samsug', 'samsug'),
      l('helicopter', 'hélicoptère'),
      l('show 11', 'voir 11'),
      l('contact 11', 'contacter 11'),
      l('no', 'non'),
      l('contact 11', 'contacter 11'),
      l('yes', 'oui'),
      l('report 12', 'signaler 12'),
      '9',
      '3',
      l('No bag at all, and no answer', 'Pas de sac, et pas de réponse'),
      l('report 12', 'signaler 12'),
      '3',
      l('skip', 'passer'),
      '7',
      '99',
      l('more', 'suite'),
      l('cancel', 'annuler'),
      l('my listings', 'mes annonces'),
      l('lang fr', 'langue anglais'),
    ]);
  });

  test('with a seller', async () => {
    await stalls();
    market.clock.advance({ minutes: 1 });
    await approved(market, seller, admin, {
      name: { en: 'Old radio', fr: 'Vieille radio' },
      durationHours: 24,
    });
    await speaks(seller, language);
    const chat = await chatting(market, { language });
    await talk(language, 'seller', chat, [
      l('link', 'lier'),
      'ABCD-2345',
      async () => `${l('link', 'lier')} ${(await newLinkCode(await market.ctx(seller))).code}`,
      l('no', 'non'),
      async () => `${l('link', 'lier')} ${(await newLinkCode(await market.ctx(seller))).code}`,
      l('yes', 'oui'),
      '/start',
      l('help', 'aide'),
      l('my listings', 'mes annonces'),
      l('listing 1', 'annonce 1'),
      l('listing 2', 'annonce 2'),
      l('listing 3', 'annonce 3'),
      l('listing 9', 'annonce 9'),
      l('sold', 'vendu'),
      l('sold 2', 'vendu 2'),
      l('sold 4', 'vendu 4'),
      l('no', 'non'),
      l('sold 4', 'vendu 4'),
      l('yes', 'oui'),
      l('stop 3', 'arreter 3'),
      l('yes', 'oui'),
      async () => {
        market.clock.advance({ days: 4 });
        await runQueue(market);
        return l('mine', 'annonces');
      },
      l('list again 3', 'republier 3'),
      l('yes', 'oui'),
      l('list again 4', 'republier 4'),
      l('yes', 'oui'),
      l('listing 3', 'annonce 3'),
      l('sign in', 'connexion'),
      l('notices', 'avis'),
      l('each morning', 'chaque matin'),
      l('each morning yes', 'chaque matin oui'),
      l('each morning no', 'chaque matin non'),
      l('notices off', 'avis non'),
      async () => {
        await suspend(market, seller);
        onTestFinished(() => unsuspend(market, seller));
        return l('my listings', 'mes annonces');
      },
      l('balance', 'solde'),
      l('unlink', 'délier'),
      l('my listings', 'mes annonces'),
    ]);
  });

  test('with whoever has the number of a closed chat, and in the owner’s other chat', async () => {
    await stalls();
    await speaks(seller, language);
    const chat = await chatting(market, { person: seller, language });
    const other = await chatting(market, { person: seller, language, address: 'another' });
    await market.db
      .update(schema.chats)
      .set({ closedAt: market.clock.now(), closedWhy: 'unused' })
      .where(eq(schema.chats.keyHash, chat.keyHash));
    await talk(language, 'closed', chat, [
      '/start',
      l('my listings', 'mes annonces'),
      l('balance', 'solde'),
      l('sold 1', 'vendu 1'),
      l('unlink', 'délier'),
      'contact 11',
      l('open again', 'rouvrir'),
      'stop',
    ]);
    await talk(language, 'closed.other', other, [
      l('not my chat', 'pas ma discussion'),
      async () =>
        said(
          await other.say(l('reopen', 'rouvrir')),
          l('It Is Mine: Open It', 'Elle est à moi\u202f: rouvrir'),
        ),
      l('reopen', 'rouvrir'),
    ]);
    expect((await chat.say(l('my listings', 'mes annonces')))[0]?.text).toContain('Samsung');
  });

  test('with an admin', async () => {
    await stalls();
    await grant(market, member, 2);
    const { products, reports, connectReports, connectPosts } = schema;
    const now = () => market.clock.now();
    market.clock.advance({ minutes: 1 });
    await submitted(market, seller, {
      name: { en: 'Iron bed', fr: 'Lit en fer' },
      images: [await uploadPhoto(market, seller), await uploadPhoto(market, seller)],
    });
    market.clock.advance({ minutes: 1 });
    const radio = await submitted(market, seller, {
      name: { en: 'Old radio' },
      description: { en: 'It plays, a little.' },
    });
    await market.db.update(products).set({ category: null }).where(eq(products.id, radio.id));
    const [stall] = await market.db
      .select()
      .from(products)
      .where(eq(products.status, 'approved'))
      .orderBy(products.createdAt);
    const photo = await photoRow(market, seller);
    const { durationHours: _, listingType: __, paymentMethod: ___, ...shown } = draft();
    const changes = edit.parse({
      ...shown,
      name: { en: 'Samsung Galaxy A14, 128 GB' },
      price: 60_000,
      images: [photo],
    });
    await editProduct(await market.ctx(seller), stall?.id ?? '', changes);
    const { reference } = await publishPost(
      await market.ctx(member),
      newPost.parse({ title: 'A driver', description: 'To Kribi', category: 'other' }),
      'a key of a post',
    );
    const [post] = await market.db
      .select({ id: connectPosts.id })
      .from(connectPosts)
      .where(eq(connectPosts.reference, reference));
    await market.db.insert(connectReports).values({
      postId: post?.id ?? '',
      reason: 'fraud',
      note: 'Asks for money',
      visitor: 'x',
      createdAt: now(),
    });
    for (const visitor of ['one', 'other']) {
      market.clock.advance({ minutes: 1 });
      await market.db.insert(reports).values({
        productId: stall?.id ?? '',
        slotId: 11,
        reason: 'fraud',
        note: `Not his phone, says ${visitor}`,
        visitor,
        createdAt: now(),
      });
    }
    await checkHealth(market.job('check-health'), { stopwatch: () => 0 });
    await speaks(admin, language);
    await withFactor(market, admin);
    const chat = await chatting(market, { person: admin });
    await talk(language, 'admin', chat, [
      '/start',
      l('help', 'aide'),
      l('approve', 'approuver'),
      l('pending', 'à valider'),
      l('next', 'suivant'),
      l('pending 3', 'a valider 3'),
      l('pending 1', 'validation 1'),
      l('approve', 'approuver'),
      l('reject', 'refuser'),
      '9',
      l('cancel', 'annuler'),
      l('pending', 'à valider'),
      l('reject', 'refuser'),
      'x'.repeat(501),
      l('Price is too high, and the photos are dark', 'Prix trop haut, et les photos sont sombres'),
      l('reject', 'refuser'),
      '3',
      l('approve', 'valider'),
      l('reports', 'signalements'),
      l('skip', 'passer'),
      l('dismiss', 'classer'),
      '1',
      l('remove', 'supprimer'),
      l('A stolen phone', 'Un téléphone volé'),
      l('reports', 'signalements'),
      l('health', 'santé'),
    ]);
  });

  test('with a stranger who begins to sell', async () => {
    const chat = await chatting(market, { language });
    await talk(language, 'newseller', chat, [
      { photo: jpeg },
      l('sell', 'vendre'),
      l('join', 'inscription'),
      'X',
      'Ewondo Marie',
      'Bafoussam, West',
      l('why?', 'pourquoi ?'),
      l('yes', 'oui'),
      '699 00 99 01',
      { number: l('+237699009901', '+237699009902') },
      l('join', 'inscription'),
      l('sell', 'vendre'),
      l('done', 'terminé'),
      { photo: async () => textFile() },
      { photo: jpeg },
      { photo: jpeg, album: '7' },
      { photo: jpeg, album: '7' },
      l('remove photo 2', 'enlever photo 2'),
      l('done', 'terminé'),
      ...(language === 'en'
        ? [
            'Ab',
            'Samsung Galaxy A14',
            'skip',
            'Like new',
            'Like new, with its charger and box',
            'Comme neuf, avec chargeur',
          ]
        : ['Samsung Galaxy A14, comme neuf', 'Neuf', 'idem', 'Comme neuf, avec chargeur et boîte']),
      'xyz',
      '1',
      l('lovely', 'superbe'),
      l('comme neuf', 'like new'),
      l('back', 'retour'),
      l('second hand', 'occasion'),
      l('cheap', 'pas cher'),
      '75 000 FCFA',
      l('back', 'retour'),
      l('done', 'terminé'),
      '2',
      '3',
      l('help', 'aide'),
      '3',
      l('done', 'terminé'),
      l('cancel', 'annuler'),
      l('my draft', 'mon brouillon'),
      '1',
      l('change price', 'changer prix'),
      '70000',
      l('change', 'changer'),
      l('submit', 'envoyer'),
      l('my listings', 'mes annonces'),
      l('discard', 'jeter'),
      l('sell', 'vendre'),
      l('discard', 'jeter'),
      l('yes', 'oui'),
      l('unlink', 'délier'),
      l('sign in', 'connexion'),
    ]);
  });

  test('with somebody whom a stranger’s link led into the stranger’s account', async () => {
    const number = `+23769700${language === 'en' ? '41' : '42'}01`;
    const stranger = await signUpSeller(market, {
      name: 'Marché Assistance',
      whatsapp: number,
      email: `support-${language}@market54.example`,
    });
    const chat = await chatting(market, { language });
    const share = { number };
    await talk(language, 'takeover', chat, [
      async () => `/start l-${(await newLinkCode(await market.ctx(stranger))).code}`,
      l('help', 'aide'),
      l('yes', 'oui'),
      async () => `/start l-${(await newLinkCode(await market.ctx(stranger))).code}`,
      l('yes', 'oui'),
      share,
      share,
      l('verify', 'vérifier'),
      share,
      l('join', 'inscription'),
      async () => `${l('link', 'lier')} ${(await newLinkCode(await market.ctx(member))).code}`,
      l('unlink', 'délier'),
      l('join', 'inscription'),
      'Ewondo Marie',
      'Bafoussam, West',
      l('yes', 'oui'),
      share,
      l('market', 'marche'),
      l('join', 'inscription'),
      'Ewondo Marie',
      'Bafoussam, West',
      l('yes', 'oui'),
      share,
      share,
      l('yes', 'oui'),
      share,
      l('verify', 'vérifier'),
      l('not now', 'pas maintenant'),
      l('unlink', 'délier'),
      l('no', 'non'),
      l('my listings', 'mes annonces'),
    ]);
  });

  test('with a member', async () => {
    await Promise.all([
      grant(market, member, 7),
      grant(market, seller, 3),
      speaks(member, language),
    ]);
    const chat = await chatting(market, { person: member });
    const post = newPost.parse({
      title: 'A driver for Saturday',
      description: 'From Douala to Kribi',
      category: 'other',
      contactWhatsapp: '699001000',
    });
    await talk(language, 'member', chat, [
      l('hello', 'bonjour'),
      l('my listings', 'mes annonces'),
      l('balance', 'solde'),
      l('responses', 'réponses'),
      async () => {
        const { reference } = await publishPost(await market.ctx(member), post, 'a key of a post');
        market.clock.advance({ minutes: 5 });
        await respond(await market.ctx(seller), reference, 'a key of a response');
        return l('responses', 'reponses');
      },
      l('responses', 'réponses'),
      l('statement', 'relevé'),
      l('sign in', 'se connecter'),
      l('link', 'lier'),
    ]);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { desc } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { newSecret } from '../../api/auth/secondFactor/codes.ts';
import { smtpMailer } from '../../api/outbox/mailer.ts';
import { statementText } from '../../api/payments/pawapay/protocol.ts';
import { loadBranding } from '../../api/settings/branding.ts';
import { readSettings } from '../../api/settings/values.ts';
import { marketCardPath } from '../../api/sharecards/market.ts';
import { markFiles } from '../../api/shared/brand/mark.ts';
import { schema } from '../../db/client.ts';
import { branding, cameWith, dictionaries, setBranding, translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { longestOf, ownWords } from '../../locales/ownWords.ts';
import { signInAdmin } from '../support/actors.ts';
import { gif, phonePhoto, png, svg, textFile } from '../support/photos.ts';
import { servedMarket } from '../support/served.ts';
import { smtpServer } from '../support/smtpServer.ts';
import { chatting } from '../support/talk.ts';

const market = await servedMarket();
const admin = await signInAdmin(market);
const post = await smtpServer();
afterAll(() => post.close());
afterEach(async () => {
  await market.db.delete(schema.settings);
  await loadBranding(market.host);
  setBranding();
  market.pageCache.drop();
});

const save = (value: unknown, language: 'en' | 'fr' = 'en', name = 'marketName') =>
  market.call(`/api/admin/settings/${name}`, {
    method: 'PUT',
    as: admin,
    json: { value },
    language,
  });
const page = async (path: string) => (await market.get(path)).body;
const came = 'Marché 54';
const given = 'Foire du Wouri';

test('the name is in every page, manifest, mail, chat, picture and document from then on', async () => {
  expect(await page('/en')).toContain(came);
  const card = /og:image" content="http:\/\/market\.test([^"]+)"/;
  const before = card.exec(await page('/fr'))?.[1] as string;
  expect((await save(` ${given} `)).body).toEqual({ name: 'marketName', value: given });

  for (const path of [
    '/en',
    '/fr',
    '/fr/how-it-works',
    '/fr/market',
    '/en/privacy',
    '/en/nothing',
  ]) {
    const html = await page(path);
    expect(html, path).toContain(given);
    expect(html, path).not.toContain(came);
    expect(html, path).toMatch(/class="[^"]*logo[^"]*"[^>]*>Foire du Wouri<\/a/);
  }
  const after = card.exec(await page('/fr'))?.[1] as string;
  expect(after).not.toBe(before);
  expect((await market.request(before)).headers.get('location')).toBe(after);
  expect((await market.request(after)).headers.get('content-type')).toBe('image/jpeg');

  const manifest = await (await market.request('/manifest.webmanifest?language=fr')).json();
  expect([manifest.name, manifest.short_name]).toEqual([given, given]);
  expect((await (await market.request('/api/openapi.json')).json()).info.title).toBe(given);
  expect(await (await market.request('/api/docs')).text()).not.toContain(came);

  const chat = await chatting(market, { language: 'fr' });
  const help = (await chat.say('aide')).map(({ text }) => text).join();
  expect(help).toContain(`votre compte ${given}`);

  await market.request('/api/auth/forgot-password', { json: { email: admin.email } });
  const mail = await market.mails.lastTo(admin.email);
  expect(mail.text).toContain(`your ${given} password`);
  expect(mail.text).not.toContain(came);
  expect((await newSecret(await market.ctx(admin), 'a')).address).toContain(
    'issuer=Foire%20du%20Wouri',
  );

  for (const language of languages)
    expect(JSON.stringify(dictionaries[language]), language).not.toContain(came);
});

test('a number at its end stands on the plate; empty is the name that came with it', async () => {
  await save('Foire 237');
  expect(await page('/en')).toMatch(/>Foire\s+<span class="plate">237<\/span>/);
  await save('');
  expect(await page('/en')).toMatch(/>Marché\s+<span class="plate">54<\/span>/);
});

test('the town stands after the name at the foot of pages and mails', async () => {
  await save('Douala', 'en', 'marketTown');
  expect(await page('/fr')).toMatch(/© \d{4} Marché 54, Douala</);
  expect(await page('/fr')).toContain('<title>Marché 54 –');
  expect(translator('en', 'mail')('common.footer')).toContain('on Marché 54, Douala.');
});

test('words of the operator’s own replace sentences of one language, everywhere', async () => {
  const cards = languages.map((language) => marketCardPath(language));
  const say = (name: string, value: object) => save(value, 'en', name);
  const own = {
    'home:hero.title': ' Le marché  du fleuve ',
    'common:brand.tagline': 'Au bord du Wouri',
  };
  expect((await say('taglines', { fr: { ...own, 'home:hero.text': '' }, en: {} })).body).toEqual({
    name: 'taglines',
    value: { fr: { ...own, 'home:hero.title': 'Le marché du fleuve' }, en: {} },
  });
  await say('figures', { en: { 'home:stats.visits.value': '12,000' } });
  await say('howItWorks', { en: { 'home:howItWorks.buyers.step1.title': 'Walk along the river' } });

  const [english, french] = [await page('/en'), await page('/fr')];
  expect(french).toContain('<h1>Le marché du fleuve</h1>');
  expect(french).toContain(dictionaries.fr.home.hero.text);
  expect(english).not.toContain('fleuve');
  expect(english).toContain('<dd>12,000</dd>');
  expect(french).toContain(dictionaries.fr.home.stats.visits.value);
  expect(await page('/en/how-it-works')).toContain('Walk along the river');
  const { description } = await (await market.request('/manifest.webmanifest?language=fr')).json();
  expect(description).toBe('Au bord du Wouri');
  const now = languages.map((language) => marketCardPath(language));
  expect(now.map((path, at) => path === cards[at])).toEqual([true, false]);

  await say('taglines', { fr: Object.fromEntries(Object.keys(own).map((key) => [key, ''])) });
  expect(await page('/fr')).not.toContain('fleuve');
});

test.each([
  ['a placeholder', { fr: { 'home:hero.title': 'À {{name}}' } }, 'fr.home:hero.title', 'braces'],
  [
    'a nested sentence',
    { fr: { 'home:hero.title': '$t(nav.menu)' } },
    'fr.home:hero.title',
    'braces',
  ],
  ['301 letters', { fr: { 'home:hero.text': 'a'.repeat(301) } }, 'fr.home:hero.text', 'tooLong'],
  ['a long title', { fr: { 'home:hero.title': 'a'.repeat(101) } }, 'fr.home:hero.title', 'tooLong'],
  ['another sentence', { fr: { 'errors:forbidden': 'x' } }, 'fr.errors:forbidden', 'unknownField'],
  ['a language that is not there', { de: {} }, 'de', 'unknownField'],
])(
  'words with %s are refused at their field, and nothing changes',
  async (_, value, path, code) => {
    const { status, body } = await save(value, 'fr', 'taglines');
    expect(status).toBe(400);
    expect(body.error.fields).toMatchObject([{ path: `value.${path}`, code }]);
    expect(await market.db.$count(schema.settings)).toBe(0);
  },
);

test('two admins who change different sentences keep both', async () => {
  await save({ fr: { 'home:hero.title': 'Le fleuve' } }, 'en', 'taglines');
  await save({ en: { 'home:hero.title': 'The river' } }, 'en', 'taglines');
  await save({ fr: { 'home:hero.text': 'Venez.' } }, 'en', 'taglines');
  expect(await readSettings(market.job('x'), ['taglines'])).toEqual({
    taglines: {
      en: { 'home:hero.title': 'The river' },
      fr: { 'home:hero.title': 'Le fleuve', 'home:hero.text': 'Venez.' },
    },
  });
});

test('a sentence that a release does not know costs none of the others', async () => {
  const fr = {
    'home:hero.title': 'Le fleuve',
    'home:gone': 'y',
    'home:hero.text': 'a'.repeat(999),
  };
  await market.db.insert(schema.settings).values({ key: 'taglines', value: { fr, de: 3 } });
  await loadBranding(market.host);
  market.pageCache.drop();
  expect(await page('/fr')).toContain('<h1>Le fleuve</h1>');
  // An unchanged branding writes nothing, and drops no page.
  expect(await loadBranding(market.host)).toBe(false);
});

test('each sentence of the operator’s own is one without a caller’s placeholder', () => {
  for (const language of languages) {
    const read = cameWith(language);
    for (const key of Object.values(ownWords).flat()) {
      expect(read(key), key).not.toMatch(/[{}]/);
      expect(read(key).length, key).toBeLessThanOrEqual(longestOf(key));
    }
  }
});

test('colours are a stylesheet under an address of their own, and are in cards and mails', async () => {
  const link = /rel="stylesheet" href="(\/_astro\/colours-[\da-f]{12}\.css)"/;
  expect(await page('/en')).not.toMatch(link);
  const before = marketCardPath('en');
  const value = { light: { plate: '', hot: '#0b6e4f' }, dark: { plate: '#f5c542', hot: '' } };
  expect((await save(value, 'en', 'colours')).status).toBe(200);
  const [, path = ''] = link.exec(await page('/en')) ?? [];
  const sheet = await market.request(path);
  expect(sheet.headers.get('content-type')).toContain('text/css');
  expect(sheet.headers.get('cache-control')).toContain('immutable');
  const css = await sheet.text();
  expect(css).toMatch(/^html:root\{[^}]*--hot:#0b6e4f[^}]*--hot-ink:#0b6e4f/);
  expect(css.match(/--plate:#f5c542/g)).toHaveLength(2);
  expect(marketCardPath('en')).not.toBe(before);
  await market.request('/api/auth/forgot-password', { json: { email: admin.email } });
  expect((await market.mails.lastTo(admin.email)).html).toContain(
    'background:#0b6e4f;color:#fffdfa',
  );

  await save({ ...value, light: { plate: '', hot: '' } }, 'en', 'colours');
  expect(await page('/en')).not.toContain(path);
  // A page that still asks for it gets the market's own colours, and keeps nothing.
  const old = await market.request(path);
  expect([old.headers.get('cache-control'), await old.text()]).toEqual([
    'no-store',
    await (await market.request(link.exec(await page('/en'))?.[1] as string)).text(),
  ]);
});

test('a colour without contrast is refused at its field, with the reason', async () => {
  const value = { light: { plate: '', hot: '#0b6e4f' }, dark: { plate: '#1f2d7c', hot: '' } };
  const { status, body } = await save(value, 'fr', 'colours');
  expect(status).toBe(400);
  expect(body.error.fields).toEqual([
    {
      path: 'value.dark.plate',
      code: 'darkContrast',
      message: dictionaries.fr.validation.darkContrast,
    },
  ]);
  expect(await market.db.$count(schema.settings)).toBe(0);
});

const saveMark = async (file: Buffer, language: 'en' | 'fr' = 'en') =>
  market.call<{ mark: string; error: { code: string; message: string } }>(
    '/api/admin/settings/mark',
    { method: 'PUT', as: admin, language, json: { file: file.toString('base64') } },
  );

test('a mark is written anew and is on pages, manifest, cards and mails, until it is removed', async () => {
  const before = marketCardPath('en');
  const picture = await phonePhoto(300);
  const { body, status } = await saveMark(picture);
  expect([status, body.mark]).toEqual([
    200,
    expect.stringMatching(/^\/media\/mark\/[\da-f]{12}-192\.png$/),
  ]);
  for (const [name, { size }] of Object.entries(markFiles)) {
    const answer = await market.request(body.mark.replace('192', name));
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const file = Buffer.from(await answer.arrayBuffer());
    const { format, width, height, exif } = await sharp(file).metadata();
    expect([format, width, height, exif], name).toEqual(['png', size, size, undefined]);
  }
  const html = await page('/fr');
  const file = (name: string) => body.mark.replace('192', name);
  expect(html).toContain(`rel="icon" href="${file('96')}"`);
  expect(html).toContain(`rel="apple-touch-icon" href="${file('180')}"`);
  expect(html).toContain(`<img src="${file('96')}" alt=""`);
  expect((await market.get('/favicon.ico')).headers.location).toEqual([file('96')]);
  const { icons } = await (await market.request('/manifest.webmanifest')).json();
  expect(icons.map(({ src }: { src: string }) => src)).toEqual(
    ['192', '512', 'maskable-512'].map(file),
  );
  expect(marketCardPath('en')).not.toBe(before);
  expect((await market.request(marketCardPath('en'))).status).toBe(200);
  await market.request('/api/auth/forgot-password', { json: { email: admin.email } });
  expect((await market.mails.lastTo(admin.email)).html).toContain(
    `http://market.test${file('96')}`,
  );
  const [entry] = await market.db.select().from(schema.auditLog).orderBy(desc(schema.auditLog.id));
  expect(entry).toMatchObject({ action: 'settings.write', subjectId: 'mark', before: null });
  expect(String(entry?.after)).toMatch(/^[\da-f]{12}$/);

  await market.call('/api/admin/settings/mark', { method: 'DELETE', as: admin });
  expect(await page('/fr')).not.toContain('/media/mark/');
  expect((await market.request(body.mark)).headers.get('location')).toBe('/icons/any-192.png');
  expect((await market.get('/favicon.ico')).status).toBe(200);
  expect(marketCardPath('en')).toBe(before);
});

test.each([
  ['an SVG', svg, 'settings.markType'],
  ['a GIF', gif, 'settings.markType'],
  ['a text', textFile, 'settings.markType'],
  ['a PNG that was cut', async () => (await png(400)).subarray(0, 400), 'settings.markUnreadable'],
  ['700 KB', async () => Buffer.alloc(700 * 1024, 1), 'settings.markTooBig'],
])('%s is refused as a mark with the reason, and the present one stays', async (_, make, code) => {
  const { body: kept } = await saveMark(await png());
  const { status, body } = await saveMark(await make(), 'fr');
  expect([status, body.error.code]).toEqual([400, code]);
  expect(body.error.message).toContain('Le logo reste le même');
  expect(await page('/fr')).toContain(kept.mark.replace('192', '96'));
});

test('it is heard by a process that did not save it', async () => {
  expect(await page('/fr')).toContain(came);
  await market.db.insert(schema.settings).values({ key: 'marketName', value: given });
  await vi.waitFor(async () => expect(await page('/fr')).not.toContain(came), 10_000);
});

test.each([
  ['of 200 letters', 'a'.repeat(200), '30 caractères'],
  ['in Arabic', 'سوق ووري', 'lettres latines'],
  ['in Chinese', '市场 54', 'lettres latines'],
  ['of an emoji', 'Foire 🎪', 'lettres latines'],
  ['without a letter', '54', 'lettres latines'],
  ['with a placeholder', 'Foire {{name}}', 'lettres latines'],
  ['with a nested sentence', 'Foire $t(common:brand.home)', 'lettres latines'],
  ['that would end a header', 'Foire" <x@y.z>', 'lettres latines'],
  ['with a path of a factor', 'Foire: Wouri', 'lettres latines'],
  ['of letters that no picture has', 'ꟼꝏ', 'lettres latines'],
  ['under a heap of accents', `A${'\u0301'.repeat(9)}`, 'lettres latines'],
])('a name %s is refused with its reason', async (_, value, reason) => {
  const { status, body } = await save(value, 'fr');
  expect(status).toBe(400);
  expect(body.error.fields).toMatchObject([{ path: 'value' }]);
  expect(JSON.stringify(body.error.fields)).toContain(reason);
  expect(await page('/en')).toContain(came);
});

test.each(['Ŋgəmbà Market', 'Marché d’Akwa', 'Foire & Co.', 'L’Étal+', 'Ɓasaa 2'])(
  '“%s” is a name',
  async (name) => expect((await save(name)).body).toMatchObject({ value: name }),
);

test('a name is kept in plain letters and spaces', async () => {
  expect((await save('Ｆｏｉｒｅ\u00a0du Wouri')).body).toMatchObject({ value: given });
});

test('a bare address sends with the name; one that has a name keeps it', async () => {
  setBranding({ ...branding(), name: given });
  const letter = { id: 'a', to: 'ama@example.cm', subject: 'S', text: 'T', html: '<p>T</p>' };
  for (const [from, name] of [
    ['market@market.test', given],
    ['Akwa <market@market.test>', 'Akwa'],
  ]) {
    const mailer = smtpMailer(post.url, from as string);
    await mailer.send(letter as never);
    mailer.close();
    expect(post.lastTo('ama@example.cm').name).toBe(name);
  }
});

test('a payer’s statement names it in letters and digits, and always the reference', () => {
  expect(statementText(came, 'CR-7K3PQ2')).toBe('Marche 54 CR7K3PQ2');
  expect(statementText('Foire artisanale du Wouri', 'CR-7K3PQ2')).toBe('Foire artisan CR7K3PQ2');
  expect(statementText('Ɓə', 'CR-7K3PQ2')).toMatch(/^[A-Za-z\d ]{4,22}$/);
});

test('no source names the market: sentences do', async () => {
  const root = new URL('../../', import.meta.url);
  const naming: string[] = [];
  for (const folder of ['api', 'bot', 'jobs', 'site/src'])
    for (const name of await readdir(new URL(`${folder}/`, root), { recursive: true }))
      if (
        /\.(?:ts|tsx|astro)$/.test(name) &&
        /^(?! \*|\/\*).*Marché 54/m.test(await readFile(new URL(`${folder}/${name}`, root), 'utf8'))
      )
        naming.push(name);
  expect(naming).toEqual([]);
});

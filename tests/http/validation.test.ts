import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../api/shared/errors.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { draftJson, uploadPhoto } from '../support/products.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
const photo = await uploadPhoto(market, seller);
const whole = () => draftJson({ images: [photo] });
type Languages = { en: string; fr: string };

/** Messages of product §5 in both languages. */
const ticked = {
  en: 'Please tick this box to go on',
  fr: 'Cochez cette case pour continuer',
};
const required = { en: 'This field is required', fr: 'Ce champ est obligatoire' };
const atLeastLong = (n: number) => ({
  en: `Must be at least ${n} characters long`,
  fr: `Doit contenir au moins ${n} caractères`,
});
const atMostLong = (n: number) => ({
  en: `Must be no more than ${n.toLocaleString('en')} characters long`,
  fr: plain(`Ne doit pas dépasser ${n.toLocaleString('fr')} caractères`),
});
const atLeast = (n: number) => ({ en: `Must be at least ${n}`, fr: `Doit être d’au moins ${n}` });
const atMost = (n: number) => ({
  en: `Must be no more than ${n.toLocaleString('en')}`,
  fr: plain(`Ne doit pas dépasser ${n.toLocaleString('fr')}`),
});
const phone = {
  en: 'Please enter a valid Cameroon phone number (e.g., +237 6XX XXX XXX)',
  fr: 'Veuillez saisir un numéro de téléphone camerounais valide (ex. : +237 6XX XXX XXX)',
};
const email = {
  en: 'Please enter a valid email address',
  fr: 'Veuillez saisir une adresse e‑mail valide',
};
const positive = { en: 'Must be a positive number', fr: 'Doit être un nombre positif' };
const wholeNumber = { en: 'Must be a whole number', fr: 'Doit être un nombre entier' };
const oneOf = { en: 'Please choose one of the options', fr: 'Veuillez choisir l’une des options' };
const invalid = { en: 'This value is not valid', fr: 'Cette valeur n’est pas valide' };
const imagesRequired = {
  en: 'At least one image is required',
  fr: 'Au moins une image est requise',
};
const imagesTooMany = { en: 'Maximum 5 images allowed', fr: '5 images maximum' };
const unknown = (name: string) => ({ en: `Unknown field: ${name}`, fr: `Champ inconnu : ${name}` });
const check = {
  en: 'Please check the fields marked below. What you typed is kept.',
  fr: 'Veuillez vérifier les champs signalés ci-dessous. Votre saisie est conservée.',
};

const id = (n: number) => `3f9c1d2e-0000-4000-8000-00000000000${n}`;
const text = (n: number) => 'x'.repeat(n);
const gone = undefined;

/** Changed fields, the field with the error, and the message. */
type Case = [Record<string, unknown>, string, Languages];

const submission: Case[] = [
  [{ name: { en: '' } }, 'name.en', required],
  [{ name: { en: '   ' } }, 'name.en', required],
  [{ name: {} }, 'name.en', required],
  [{ name: gone }, 'name', required],
  [{ name: { en: 'ab' } }, 'name.en', atLeastLong(3)],
  [{ name: { en: '<>ab' } }, 'name.en', atLeastLong(3)],
  [{ name: { en: text(201) } }, 'name.en', atMostLong(200)],
  [{ name: { en: 'Chair', fr: text(201) } }, 'name.fr', atMostLong(200)],
  [{ description: { en: '' } }, 'description.en', required],
  [{ description: { en: 'too short' } }, 'description.en', atLeastLong(10)],
  [{ description: { en: text(2001) } }, 'description.en', atMostLong(2000)],
  [{ description: { en: text(10), fr: text(2001) } }, 'description.fr', atMostLong(2000)],
  [{ price: gone }, 'price', required],
  [{ price: '' }, 'price', required],
  [{ price: null }, 'price', required],
  [{ price: 0 }, 'price', positive],
  [{ price: -5 }, 'price', positive],
  [{ price: 99 }, 'price', atLeast(100)],
  [{ price: 10_000_001 }, 'price', atMost(10_000_000)],
  [{ price: 150.5 }, 'price', wholeNumber],
  [{ price: 'a lot' }, 'price', invalid],
  [{ durationHours: gone }, 'durationHours', required],
  [{ durationHours: 0 }, 'durationHours', positive],
  [{ durationHours: -24 }, 'durationHours', positive],
  [{ durationHours: 24.5 }, 'durationHours', wholeNumber],
  [{ durationHours: 25 }, 'durationHours', oneOf],
  [{ durationHours: 144 }, 'durationHours', oneOf],
  [{ category: gone }, 'category', required],
  [{ category: '' }, 'category', required],
  [{ category: 'weapons' }, 'category', oneOf],
  [{ sellerName: '' }, 'sellerName', required],
  [{ sellerName: 'x' }, 'sellerName', atLeastLong(2)],
  [{ sellerName: text(101) }, 'sellerName', atMostLong(100)],
  [{ sellerWhatsapp: gone }, 'sellerWhatsapp', required],
  [{ sellerWhatsapp: ' ' }, 'sellerWhatsapp', required],
  [{ sellerWhatsapp: '+33 6 12 34 56 78' }, 'sellerWhatsapp', phone],
  [{ sellerLocation: '' }, 'sellerLocation', required],
  [{ sellerLocation: 'x' }, 'sellerLocation', atLeastLong(2)],
  [{ sellerLocation: text(101) }, 'sellerLocation', atMostLong(100)],
  [{ businessName: text(101) }, 'businessName', atMostLong(100)],
  [{ paymentMethod: gone }, 'paymentMethod', required],
  [{ paymentMethod: 'bitcoin' }, 'paymentMethod', oneOf],
  [{ images: [] }, 'images', imagesRequired],
  [{ images: gone }, 'images', required],
  [{ images: [1, 2, 3, 4, 5, 6].map(id) }, 'images', imagesTooMany],
  [{ images: [id(1), id(1)] }, 'images', invalid],
  [
    { images: ['not an id'] },
    'images.0',
    { en: 'All files must be images', fr: 'Tous les fichiers doivent être des images' },
  ],
  [{ listingType: 'gold' }, 'listingType', oneOf],
  [{ listingType: 'featured', preferredFeaturedSlot: 11 }, 'preferredFeaturedSlot', atMost(10)],
  [{ listingType: 'featured', preferredFeaturedSlot: 0 }, 'preferredFeaturedSlot', atLeast(1)],
  [{ listingType: 'standard', preferredFeaturedSlot: 3 }, 'preferredFeaturedSlot', invalid],
  [{ status: 'approved' }, 'status', unknown('status')],
  [{ listingFee: 1 }, 'listingFee', unknown('listingFee')],
  [{ name: { en: 'Chair', de: 'Stuhl' } }, 'name.de', unknown('de')],
];

const account = {
  ...{ email: 'new@example.test', password: 'a good password', name: 'Ngono', agreed: '0' },
};
const signUp: Case[] = [
  [{ email: '' }, 'email', required],
  [{ email: gone }, 'email', required],
  [{ email: 'nobody' }, 'email', email],
  [{ email: 'a b@example.test' }, 'email', email],
  [{ password: '' }, 'password', required],
  [{ password: 'seven77' }, 'password', atLeastLong(8)],
  [{ password: text(201) }, 'password', atMostLong(200)],
  [{ name: '' }, 'name', required],
  [{ name: 'x' }, 'name', atLeastLong(2)],
  [{ name: text(101) }, 'name', atMostLong(100)],
  [{ whatsapp: '12345' }, 'whatsapp', phone],
  [{ agreed: gone }, 'agreed', ticked],
  [{ agreed: 'on' }, 'agreed', ticked],
  [{ location: 'x' }, 'location', atLeastLong(2)],
  [{ location: text(101) }, 'location', atMostLong(100)],
  [{ isAdmin: true }, 'isAdmin', unknown('isAdmin')],
];

function complains(
  path: string,
  method: string,
  base: () => Record<string, unknown>,
  cases: Case[],
): void {
  for (const [change, field, sentence] of cases) {
    for (const language of ['en', 'fr'] as const) {
      test(`${JSON.stringify(change).slice(0, 60)} → ${field}: ${sentence[language]}`, async () => {
        const { status, body } = await market.call(path, {
          method,
          json: { ...base(), ...change },
          as: seller,
          language,
        });
        expect(status).toBe(400);
        expect(body.error).toMatchObject({ code: 'validation', message: check[language] });
        expect(body.error.fields?.map(({ path: at, message }) => [at, plain(message)])).toEqual([
          [field, sentence[language]],
        ]);
      });
    }
  }
}

describe('a submission', () => complains('/api/products', 'POST', whole, submission));
describe('a sign-up', () => complains('/api/auth/sign-up', 'POST', () => account, signUp));
describe('a sign-in', () =>
  complains(
    '/api/auth/sign-in',
    'POST',
    () => ({ email: 'a@example.test', password: 'a good password' }),
    [
      [{ email: 'nobody' }, 'email', email],
      [{ email: '' }, 'email', required],
      [{ password: '' }, 'password', required],
      [{ password: 'seven77' }, 'password', atLeastLong(8)],
      [{ remember: true }, 'remember', unknown('remember')],
    ],
  ));
describe('an admin’s sign-in', () =>
  complains(
    '/api/auth/admin/sign-in',
    'POST',
    () => ({ email: 'a@example.test', password: 'sixsix' }),
    [
      [{ email: 'nobody' }, 'email', email],
      [{ password: '' }, 'password', required],
      [{ password: 'five5' }, 'password', atLeastLong(6)],
    ],
  ));
describe('a profile', () =>
  complains('/api/auth/profile', 'PUT', () => ({ name: 'Ngono' }), [
    [{ name: '' }, 'name', required],
    [{ whatsapp: '+237 599 00 11 22' }, 'whatsapp', phone],
    [{ location: 'x' }, 'location', atLeastLong(2)],
    [{ verified: true }, 'verified', unknown('verified')],
    [{ suspended: false }, 'suspended', unknown('suspended')],
  ]));

describe('all wrong fields of one request', () => {
  test('are complained about at once, each with one sentence', async () => {
    const { body } = await market.call('/api/products', { json: {}, as: seller, language: 'fr' });
    expect(body.error.fields?.map((field) => [field.path, field.message])).toEqual(
      [
        'name',
        'description',
        'category',
        'price',
        'durationHours',
        'images',
        'sellerName',
        'sellerWhatsapp',
        'sellerLocation',
        'paymentMethod',
      ].map((path) => [path, required.fr]),
    );
  });

  test('are named together with fields that nobody knows', async () => {
    const { body } = await market.call('/api/auth/sign-in', {
      json: { email: 'x', password: 'y', a: 1, b: 2 },
    });
    expect(body.error.fields?.map((field) => field.path).sort()).toEqual([
      'a',
      'b',
      'email',
      'password',
    ]);
  });
});

describe('a good request', () => {
  test('may be exactly at every limit', async () => {
    const limits = {
      ...whole(),
      name: { en: text(3), fr: text(200) },
      description: { en: text(10), fr: text(2000) },
      price: 100,
      sellerName: 'ab',
      sellerLocation: 'ab',
      businessName: text(100),
      durationHours: 24,
    };
    const { status } = await market.call('/api/products', { json: limits, as: seller });
    expect(status).toBe(201);
    const upper = {
      ...limits,
      images: [await uploadPhoto(market, seller)],
      name: { en: text(200), fr: '' },
      description: { en: text(2000), fr: null },
      price: 10_000_000,
      sellerName: text(100),
      sellerLocation: text(100),
      businessName: '',
    };
    expect((await market.call('/api/products', { json: upper, as: seller })).status).toBe(201);
  });

  test('may leave the optional fields of a sign-up empty or out', async () => {
    expect(
      (
        await market.call('/api/auth/sign-up', {
          json: { ...account, whatsapp: '', location: '  ' },
        })
      ).status,
    ).toBe(200);
  });
});

describe('what is no good request at all', () => {
  const malformed = {
    en: 'The request could not be read, so nothing was changed. Reload the page and try again.',
    fr: 'La demande est illisible : rien n’a été modifié. Rechargez la page et réessayez.',
  };
  for (const [what, body, headers] of [
    ['half a JSON', '{"email": "a@example', { 'content-type': 'application/json' }],
    ['nothing', '', { 'content-type': 'application/json' }],
    ['JSON that says it is text', JSON.stringify(account), { 'content-type': 'text/plain' }],
    ['a form', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }],
  ] as const) {
    for (const language of ['en', 'fr'] as const) {
      test(`${what} is answered with a sentence in ${language}`, async () => {
        const { status, body: answer } = await market.call('/api/auth/sign-up', {
          method: 'POST',
          body,
          headers,
          language,
        });
        expect([status, answer.error.code, plain(answer.error.message)]).toEqual([
          400,
          'malformedJson',
          malformed[language],
        ]);
      });
    }
  }

  for (const json of [null, [], 'text', 5, true]) {
    test(`${JSON.stringify(json)} instead of an object is refused as invalid`, async () => {
      const { status, body } = await market.call('/api/auth/sign-in', { json });
      expect([status, body.error.code]).toEqual([400, 'validation']);
    });
  }

  test('an id that is none, a slot that is none and a page that is none are refused', async () => {
    const answers = await Promise.all([
      market.call('/api/admin/products/not-an-id/approve', { method: 'POST', as: admin }),
      market.call('/api/slots/seven'),
      market.call('/api/admin/products/pending?page=0', { as: admin }),
      market.call('/api/admin/products/pending?page=x', { as: admin }),
      market.call('/api/admin/products/pending?other=1', { as: admin }),
      market.call('/api/products/x/contact', { json: { consent: true } }),
      market.call('/api/products', {
        json: whole(),
        as: seller,
        headers: { 'idempotency-key': 'short' },
      }),
      market.call(`/api/admin/products/${id(1)}/reject`, { json: { reason: ' ' }, as: admin }),
      market.call(`/api/admin/products/${id(1)}/reject`, {
        json: { reason: text(501) },
        as: admin,
      }),
    ]);
    expect(answers.map(({ status, body }) => [status, (body as ErrorBody).error.code])).toEqual(
      Array(answers.length).fill([400, 'validation']),
    );
  });
});

test('no answer to a French reader has an English sentence in it', async () => {
  const english =
    /\b(the|please|must|field|value|your|was|not|this|try|again|invalid|required|expected)\b/i;
  const answers = await Promise.all([
    ...submission.map(([change]) =>
      market.call('/api/products', { json: { ...whole(), ...change }, as: seller, language: 'fr' }),
    ),
    market.call('/api/nowhere', { language: 'fr' }),
    market.call('/api/slots', { method: 'DELETE', language: 'fr' }),
    market.call('/api/admin/products/pending', { language: 'fr' }),
    market.call('/api/admin/products/pending', { as: seller, language: 'fr' }),
    market.call('/api/products/mine', { as: admin, language: 'fr' }),
    market.call('/api/slots/54', { language: 'fr' }),
    market.call('/api/auth/verify-email', { json: { token: 'x' }, language: 'fr' }),
    market.call(`/api/products/${id(1)}/contact`, { json: { consent: true }, language: 'fr' }),
    market.call(`/api/products/${id(1)}/contact`, { json: { consent: false }, language: 'fr' }),
    market.call('/api/products', {
      json: { ...whole(), images: [id(9)] },
      as: seller,
      language: 'fr',
    }),
  ]);
  for (const { body } of answers) {
    for (const message of [
      body.error.message,
      ...(body.error.fields ?? []).map((field) => field.message),
    ])
      expect(message.replace(/“.*”|« .* »/, '')).not.toMatch(english);
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newName } from '../../api/account/schema.ts';
import { signUp } from '../../api/auth/schema.ts';
import { speaksForMarket } from '../../api/people/names.ts';
import { correction, edit, submission } from '../../api/products/schema.ts';
import { profile, sellerName } from '../../api/sellers/schema.ts';
import { branding, setBranding } from '../../locales/index.ts';

/** Names that readers take for the market's own. */
const refused = [
  'Marche 54',
  'Marché 54',
  'MARCHÉ 54',
  'marche54',
  'Marché-54',
  'Marché_54',
  'Le Marché 54',
  'Marché n° 54',
  'Marché №54',
  'Market 54',
  'Marchés 54',
  'Marché 5 4',
  'Marché cinquante-quatre',
  'Market Fifty-Four',
  'M a r c h é  5 4',
  'M.A.R.C.H.E.54',
  'M4rch3 54',
  'Marche S4',
  'rnarche 54',
  'M@rché 54',
  'Mar\u00adché 54',
  'Mar\u200bche\u200d 5\u20604',
  'Marche\ufe0f 54\ufe0f',
  'Mar\u034fche 54',
  'Marche\u0301\u0323 54',
  'Ｍａｒｃｈｅ　５４',
  '𝐌𝐚𝐫𝐜𝐡é 𝟓𝟒',
  'ⓂⒶⓇⒸⒽⒺ ⑤④',
  '🅼🅰🆁🅲🅷🅴 54',
  '🅜🅐🅡🅒🅗🅔 54',
  'ᴍᴀʀᴄʜᴇ 54',
  'Маrсhе 54',
  'МАRСНЕ 54',
  'MAЯCHE 54',
  'Μαrchε 54',
  'ΜΑRCΗΕ 54',
  'ꓟꓮꓣꓚꓧꓰ 54',
  'Marche ٥٤',
  'Marche ५४',
  'Marche ⁵⁴',
  'Marche Ƽ4',
  'Marche 54 Support',
  'Support Marché 54',
  'Marche54support',
  'Marche 54 Admin',
  'Administration du Marché 54',
  'Équipe Marché 54',
  'L’équipe de Marche54',
  'Marche 54 Team',
  'Team Market54',
  'Service client Marché 54',
  'Marché 54 – Sécurité',
  'marche54.cm',
  '@marche54officiel',
  'Ama de Marché 54',
  'Marche 54 Official',
  'M54 Support',
  'M-54 Équipe',
  'Supp0rt M54',
  'Adm1n m54',
  'Support Supermarché 54',
  'Service clientèle M 54',
  '54 Marché Support',
  'Marche 54 vérification',
  'Le 54, Marché, équipe officielle',
];

/** Names of people, and of shops that exist in Cameroon. */
const allowed = [
  'Marché de Mokolo',
  'Super Marché Nord',
  'Marché Central de Douala',
  'Marché Sandaga',
  'Marché Mboppi Tissus',
  'Boutique Marché Mfoundi',
  'Marché des Femmes',
  'Marché A, Bafoussam',
  'Mini Marché Bonabéri',
  'Le Petit Marché',
  'Marché Bio Dschang',
  'Supermarché SA',
  'Super Marché 54 rue Joffre',
  'Supermarché 54',
  'Marché 5',
  'Marché 545',
  'Marché 8e',
  'Les Marchés 4 Saisons',
  'Market Express',
  'La Marchesa',
  'Marche Nordique Club',
  'Boutique 54',
  'Dépôt 54 Akwa',
  'Pressing 54',
  'M54',
  'Support Informatique Douala',
  'Admin Plus Secrétariat',
  'Équipe Nationale Sport',
  'Team Foot Kribi',
  'Service Client Plus',
  'Help Tailoring',
  'Assistance Auto Bépanda',
  'Sécurité 24 Gardiennage',
  'Officiel Lions Maillots',
  'Quincaillerie La Paix',
  'Quincaillerie Foberd',
  'Poissonnerie Congelcam Melen',
  'Boucherie Haoussa Briqueterie',
  'Callbox Maman Odette',
  'Tourne-dos chez Mami Ndolé',
  'Salon de coiffure Queen’s Beauty',
  'Couture Élégance Africaine',
  'Friperie Balle Première Choix',
  'Dépôt de boissons Le Rond-Point',
  'Pharmacie du Soleil',
  'Librairie Saint-Paul',
  'Garage Moderne Ndokoti',
  'Pièces détachées Toyota Camp Yabassi',
  'Électronique Avenue Kennedy',
  'Téléphones Chez Alhadji',
  'Tabitha Kaba Ngondo Store',
  'Bamenda Fabrics & Toghu',
  'Buea Farmers Common Initiative',
  'Menuiserie Bois d’Ébène',
  'Agro-pastorale Foumbot Vivres Frais',
  'Cosmétiques Biopharma Mvog-Mbi',
  'Imprimerie Rapide Elig-Essono',
  'Boulangerie Calafatas',
  'Cyber Café Molyko',
  'Provenderie Poussins d’Or',
  'Ngo Biyong',
  'Ewondo Marie',
  'Marcher Ndi',
  'Aïssatou Oumarou',
  'Jean-Marc Hébert',
  'Marc Hé 5',
  'Алексей Маркетов',
  'Μάρκος Παππάς',
  '市場 五十四',
];

describe('a name that speaks for the market', () => {
  test.each(refused)('is “%s”', (name) => expect(speaksForMarket(name)).toBe(true));
  test.each(allowed)('is not “%s”', (name) => expect(speaksForMarket(name)).toBe(false));

  describe.each([
    [
      'Foire du Wouri',
      [
        ...[
          'Foire du Wouri',
          'FOIRE DU WOURI',
          'La Foire du Wouri',
          'foireduwouri',
          'F0ire du W0uri',
        ],
        ...['Foire-du-Wouri', 'F o i r e du Wouri', 'Fоirе du Wоuri', 'Foire du Wouri Officiel'],
        ...['supportfoireduwouri', 'Boutique de la Foire du Wouri', '𝐅𝐨𝐢𝐫𝐞 du Wouri'],
      ],
      ['Foire artisanale', 'Boutique du Wouri', 'Wouri Services', 'Marché 54', 'Support Wouri'],
    ],
    [
      'Akwa',
      ['Akwa', 'AKWA!', 'A.k.w.a', 'Équipe Akwa', 'Akwa Support', 'Аkwа'],
      ['Akwa Couture', 'Boutique d’Akwa', 'Takwa Support', 'Nakwa', 'Marché 54 Support'],
    ],
    [
      'Marché 54',
      ['Marche 54', 'Marché cinquante-quatre', 'Marche n° 54', 'M54 Support', 'M@rché 54'],
      ['Super Marché 54 rue Joffre', 'Marché 545', 'Foire du Wouri'],
    ],
    ['Akwa 2', ['Akwa 2', 'Akwa2', 'Support Akwa 2'], ['Akwa', 'Akwa 20', 'Akwa Couture 2']],
  ])('for a market called %s', (market, posing, own) => {
    beforeAll(() => setBranding({ ...branding(), name: market }));
    afterAll(() => setBranding());
    test.each(posing)('is “%s”', (name) => expect(speaksForMarket(name)).toBe(true));
    test.each(own)('is not “%s”', (name) => expect(speaksForMarket(name)).toBe(false));
  });

  test('is refused wherever a person or a business gets a name; admins may speak for the market', () => {
    const name = 'Marche 54 Support';
    const codes = (
      schema: {
        safeParse(value: unknown): {
          error?: { issues: readonly { path: PropertyKey[]; message: string }[] };
        };
      },
      value: unknown,
    ) =>
      (schema.safeParse(value).error?.issues ?? [])
        .filter(({ message }) => message === 'marketName')
        .map(({ path }) => path.join('.'));
    expect(codes(sellerName, name)).toEqual(['']);
    expect(codes(profile, { name })).toEqual(['name']);
    expect(codes(newName, { name })).toEqual(['name']);
    expect(codes(signUp, { name })).toEqual(['name']);
    for (const schema of [submission, edit])
      expect(codes(schema, { sellerName: name, businessName: name })).toEqual([
        'sellerName',
        'businessName',
      ]);
    expect(codes(correction, { sellerName: name, businessName: name })).toEqual([]);
  });

  test('is found in time that grows with its length alone', () => {
    // Inputs of maximal length that make the patterns restart again and again.
    for (const piece of [
      'm',
      'ma',
      'march',
      'marche ',
      'm a r c h e ',
      '5 4',
      'super',
      'support m',
      'rn',
    ])
      expect(speaksForMarket(piece.repeat(2000)), piece).toBeTypeOf('boolean');
  });
});

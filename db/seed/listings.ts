import { beauty } from './listings/beauty.ts';
import { devices } from './listings/devices.ts';
import { house } from './listings/house.ts';
import { leisure } from './listings/leisure.ts';
import { pantry } from './listings/pantry.ts';
import { vehicles } from './listings/vehicles.ts';
import { wear } from './listings/wear.ts';
import { nobody } from './numbers.ts';
import type { IncompleteListing, SeedListing, SeedSeller } from './types.ts';

export type { IncompleteListing, SeedListing, SeedSeller } from './types.ts';

const seller = (
  key: string,
  last: number,
  rest: Omit<SeedSeller, 'key' | 'email' | 'whatsapp'>,
): SeedSeller => ({
  key,
  email: `${key}@demo.marche54.example`,
  whatsapp: nobody(last),
  ...rest,
});

export const sellers: SeedSeller[] = [
  seller('mireille', 101, {
    name: 'Mireille Estelle',
    businessName: 'Fil & Toghu',
    location: 'Bamenda, North-West',
    verified: 'admin',
  }),
  seller('blaise', 102, {
    name: 'Blaise Arnaud',
    businessName: 'Akwa Numérique',
    location: 'Douala, Littoral',
    verified: 'chat',
  }),
  seller('ibrahim', 103, {
    name: 'Ibrahim Moussa',
    businessName: 'Moto Bénoué Pièces',
    location: 'Garoua, Nord',
    verified: 'admin',
  }),
  seller('solange', 104, {
    name: 'Solange Odile',
    businessName: 'Maison Raphia & Bois',
    location: 'Bafoussam, Ouest',
    verified: 'admin',
  }),
  seller('divine', 105, {
    name: 'Divine Grace',
    businessName: 'Molyko Book Corner',
    location: 'Buea, South-West',
    verified: 'chat',
  }),
  seller('aminatou', 106, {
    name: 'Aminatou Hadja',
    businessName: 'Karité du Diamaré',
    location: 'Maroua, Extrême-Nord',
    verified: 'chat',
  }),
  seller('rodrigue', 107, {
    name: 'Rodrigue Hervé',
    businessName: 'Comptoir Mvolyé',
    location: 'Yaoundé, Centre',
    verified: null,
  }),
  seller('emelda', 108, {
    name: 'Emelda Joy',
    businessName: 'Down Beach Pantry',
    location: 'Limbe, South-West',
    verified: 'admin',
  }),
  seller('celestine', 109, {
    name: 'Célestine Rose',
    businessName: null,
    location: 'Kribi, Sud',
    verified: null,
  }),
  seller('oumarou', 110, {
    name: 'Oumarou Bello',
    businessName: 'Ferme du Haut-Plateau',
    location: 'Ngaoundéré, Adamaoua',
    verified: 'chat',
  }),
  seller('serge', 111, {
    name: 'Serge Patrick',
    businessName: 'Électro Bonabéri',
    location: 'Douala, Littoral',
    verified: null,
    suspended: 'Three buyers reported paying a deposit for goods that were never delivered.',
  }),
];

export const listings: SeedListing[] = [
  ...devices,
  ...vehicles,
  ...wear,
  ...beauty,
  ...house,
  ...pantry,
  ...leisure,
];

export const incompleteListings: IncompleteListing[] = [
  {
    key: 'import-power-bank',
    seller: 'blaise',
    sellerWhatsapp: nobody(102),
    pictures: [{ name: 'powerBank', variant: 0 }],
    name: { en: 'Solar power bank 20000', fr: null },
    description: {
      en: 'Solar power bank with two USB ports, used for one rainy season.',
      fr: null,
    },
    price: 13_000,
    category: 'electronics',
    listingType: 'standard',
    durationHours: 72,
    paymentMethod: 'mtn_momo',
    city: 'Douala',
    region: 'Littoral',
    state: { kind: 'pending' },
  },
  {
    key: 'import-door',
    seller: 'rodrigue',
    sellerWhatsapp: nobody(107),
    pictures: [],
    name: { en: 'Carved door', fr: 'Porte sculptée' },
    description: { en: null, fr: null },
    price: 120_000,
    category: null,
    listingType: 'standard',
    durationHours: 72,
    paymentMethod: null,
    city: 'Yaoundé',
    region: 'Centre',
    state: { kind: 'pending' },
  },
  {
    key: 'import-water-pump',
    seller: 'ibrahim',
    sellerWhatsapp: null,
    pictures: [{ name: 'waterPump', variant: 0 }],
    name: { en: 'Water pump 1 HP', fr: 'Motopompe 1 CV' },
    description: {
      en: 'Surface pump for a well of up to seven metres, cast iron body.',
      fr: 'Pompe de surface pour puits jusqu’à sept mètres, corps en fonte.',
    },
    price: 0,
    category: 'other',
    listingType: 'standard',
    durationHours: null,
    paymentMethod: 'cash',
    city: null,
    region: null,
    state: { kind: 'pending' },
  },
  {
    key: 'import-peppers',
    seller: 'oumarou',
    sellerWhatsapp: nobody(110),
    pictures: [{ name: 'peppers', variant: 1 }],
    name: { en: 'Peppers, basket', fr: 'Piments, panier' },
    description: { en: 'Fresh.', fr: null },
    price: 3_500,
    category: 'food',
    listingType: 'featured',
    durationHours: 24,
    paymentMethod: null,
    city: 'Ngaoundéré',
    region: null,
    state: { kind: 'pending' },
  },
];

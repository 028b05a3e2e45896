import { folded } from './regions.ts';
import { towns } from './townNamed.ts';

/** Degrees north and east of listed towns, rounded; towns without a figure are near one of these. */
const places =
  'Ngaoundéré 7.32 13.58, Banyo 6.75 11.82, Djohong 6.83 14.70, Meiganga 6.52 14.30, Ngaoundal 6.46 13.27, ' +
  'Tibati 6.47 12.63, Tignère 7.37 12.65, Yaoundé 3.87 11.52, Akonolinga 3.77 12.25, Bafia 4.75 11.23, ' +
  'Éséka 3.65 10.77, Mbalmayo 3.52 11.50, Mbandjock 4.45 11.90, Mbankomo 3.78 11.38, Mfou 3.73 11.65, ' +
  'Monatélé 4.27 11.20, Nanga-Eboko 4.68 12.37, Ngoumou 3.58 11.30, Nkoteng 4.52 12.03, Ntui 4.45 11.63, ' +
  'Obala 4.17 11.53, Okola 4.02 11.38, Sa’a 4.37 11.45, Soa 3.98 11.60, Yoko 5.53 12.32, Bertoua 4.58 13.68, ' +
  'Abong-Mbang 3.98 13.17, Batouri 4.43 14.37, Bélabo 4.93 13.30, Bétaré-Oya 5.60 14.08, Doumé 4.23 13.45, ' +
  'Garoua-Boulaï 5.88 14.55, Lomié 3.15 13.62, Moloundou 2.05 15.22, Yokadouma 3.52 15.05, Maroua 10.60 14.33, ' +
  'Blangoua 12.77 14.55, Bogo 10.73 14.60, Guidiguis 10.13 14.72, Kaélé 10.10 14.45, Kousséri 12.08 15.03, ' +
  'Maga 10.85 14.94, Mokolo 10.74 13.80, Mora 11.04 14.14, Yagoua 10.34 15.23, Douala 4.05 9.70, ' +
  'Dibombari 4.18 9.65, Dizangué 3.77 9.98, Édéa 3.80 10.13, Loum 4.72 9.73, Manjo 4.84 9.82, Mbanga 4.50 9.57, ' +
  'Melong 5.12 9.95, Njombé 4.58 9.67, Nkondjock 4.87 10.25, Nkongsamba 4.95 9.93, Penja 4.63 9.68, ' +
  'Yabassi 4.45 9.97, Garoua 9.30 13.40, Figuil 9.76 13.96, Guider 9.93 13.95, Lagdo 9.05 13.73, Pitoa 9.40 13.50, ' +
  'Poli 8.48 13.24, Rey-Bouba 8.67 14.18, Tcholliré 8.40 14.17, Touboro 7.77 15.37, Bamenda 5.96 10.15, ' +
  'Bafut 6.08 10.10, Batibo 5.83 9.87, Fundong 6.28 10.27, Jakiri 6.05 10.65, Kumbo 6.20 10.67, Mbengwi 6.02 10.00, ' +
  'Ndop 6.00 10.42, Ndu 6.41 10.77, Nkambe 6.63 10.67, Wum 6.38 10.07, Ebolowa 2.92 11.15, Ambam 2.38 11.28, ' +
  'Campo 2.37 9.82, Djoum 2.67 12.67, Kribi 2.94 9.91, Kye-Ossi 2.17 11.34, Lolodorf 3.23 10.73, ' +
  'Sangmélima 2.93 11.98, Zoétélé 3.25 11.88, Buea 4.16 9.24, Bangem 5.08 9.77, Ekondo-Titi 4.65 9.02, ' +
  'Fontem 5.47 9.88, Kumba 4.64 9.45, Limbe 4.02 9.21, Mamfe 5.76 9.31, Mundemba 4.96 8.87, Muyuka 4.29 9.41, ' +
  'Mutengene 4.09 9.31, Tiko 4.08 9.36, Tombel 4.75 9.67, Bafoussam 5.48 10.42, Bafang 5.16 10.18, Baham 5.33 10.38, ' +
  'Bangangté 5.14 10.52, Dschang 5.45 10.05, Foumban 5.73 10.90, Foumbot 5.51 10.63, Mbouda 5.63 10.25, Tonga 4.97 10.70';

const known = places.split(', ').map((written) => {
  const [name = '', north, east] = written.split(' ');
  return { name, north: Number(north), east: Number(east) };
});
const kmPerDegree = 111;
const farthestKm = 150;

/** English name of the listed town nearest to a place; undefined far from all of them. */
export function townAt(latitude: number, longitude: number): string | undefined {
  const km = ({ north, east }: (typeof known)[number]) =>
    kmPerDegree *
    Math.hypot(latitude - north, (longitude - east) * Math.cos((latitude * Math.PI) / 180));
  const nearest = known.reduce((one, other) => (km(other) < km(one) ? other : one));
  // A place that is no number is near nothing.
  if (!(km(nearest) <= farthestKm)) return undefined;
  return towns.find(({ en }) => folded(en) === folded(nearest.name))?.en;
}

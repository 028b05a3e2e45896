import type { Region } from '../../../db/regions.ts';

export type Town = { en: string; fr: string };

/**
 * Suggested towns of each region: the seats of the 58 divisions and other large towns. A name
 * written `English|French` differs between the languages.
 */
const towns: Record<Region, string> = {
  adamawa: 'Ngaoundéré, Banyo, Djohong, Meiganga, Ngaoundal, Tibati, Tignère',
  centre:
    'Yaoundé, Akonolinga, Bafia, Éséka, Makak, Mbalmayo, Mbandjock, Mbankomo, Mfou, Monatélé, Nanga-Eboko, Ngoumou, Nkoteng, Ntui, Obala, Okola, Sa’a, Soa, Yoko',
  east: 'Bertoua, Abong-Mbang, Batouri, Bélabo, Bétaré-Oya, Doumé, Garoua-Boulaï, Lomié, Moloundou, Yokadouma',
  'far-north': 'Maroua, Blangoua, Bogo, Guidiguis, Kaélé, Kousséri, Maga, Mokolo, Mora, Yagoua',
  littoral:
    'Douala, Dibombari, Dizangué, Édéa, Loum, Manjo, Mbanga, Melong, Njombé, Nkondjock, Nkongsamba, Penja, Yabassi',
  north: 'Garoua, Figuil, Guider, Lagdo, Pitoa, Poli, Rey-Bouba, Tcholliré, Touboro',
  'north-west':
    'Bamenda, Bafut, Batibo, Belo, Fundong, Jakiri, Kumbo, Mbengwi, Ndop, Ndu, Nkambe|Nkambé, Santa, Wum',
  south:
    'Ebolowa, Ambam, Campo, Djoum, Kribi, Kye-Ossi|Kyé-Ossi, Lolodorf, Meyomessala, Sangmélima, Zoétélé',
  'south-west':
    'Buea|Buéa, Bangem, Ekondo-Titi, Fontem, Idenau, Kumba, Limbe|Limbé, Mamfe|Mamfé, Menji, Mundemba, Muyuka, Mutengene, Tiko, Tombel',
  west: 'Bafoussam, Bafang, Baham, Bandjoun, Bangangté, Bansoa, Dschang, Foumban, Foumbot, Galim, Koutaba, Magba, Mbouda, Tonga',
};

/** Towns of a region, its capital first. */
export const townsOf = (region: Region): Town[] =>
  towns[region].split(', ').map((written) => {
    const [en = '', fr = en] = written.split('|');
    return { en, fr };
  });

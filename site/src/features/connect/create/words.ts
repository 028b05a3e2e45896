import type { Dictionaries } from '../../../../../locales/keys.ts';
import type { Language } from '../../../../../locales/languages.ts';

type Words = Dictionaries['connect'];
const create = import.meta.glob<Words['create']>('../../../../../locales/*/connect.json', {
  eager: true,
  import: 'create',
});
const categories = import.meta.glob<Words['categories']>('../../../../../locales/*/connect.json', {
  eager: true,
  import: 'categories',
});
const validation = import.meta.glob<Dictionaries['validation']>(
  '../../../../../locales/*/validation.json',
  { eager: true, import: 'default' },
);

const place = import.meta.glob<Dictionaries['common']['place']>(
  '../../../../../locales/*/common.json',
  {
    eager: true,
    import: 'place',
  },
);
const regions = import.meta.glob<Dictionaries['common']['regions']>(
  '../../../../../locales/*/common.json',
  { eager: true, import: 'regions' },
);

export const createWords = (language: Language) => ({
  ...(create[`../../../../../locales/${language}/connect.json`] as Words['create']),
  categories: categories[`../../../../../locales/${language}/connect.json`] as Words['categories'],
  place: {
    ...(place[`../../../../../locales/${language}/common.json`] as Dictionaries['common']['place']),
    regions: regions[
      `../../../../../locales/${language}/common.json`
    ] as Dictionaries['common']['regions'],
  },
  validation: validation[
    `../../../../../locales/${language}/validation.json`
  ] as Dictionaries['validation'],
});
export type CreateWords = ReturnType<typeof createWords>;

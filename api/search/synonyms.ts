/**
 * Everyday words of both languages for one kind of thing, as `normalized` writes them. A search for
 * one of `said` also finds those of `named`; words such as `portable`, which name other things too,
 * are only said.
 */
const groups: readonly { said: string; named: string }[] = [
  {
    said: 'telephone, phone, smartphone, portable, mobile, cellulaire, tel, android',
    named: 'telephone, phone, smartphone, cellulaire, iphone, android',
  },
  {
    said: 'frigo, refrigerateur, refrigerator, fridge',
    named: 'frigo, refrigerateur, refrigerator, fridge',
  },
  { said: 'congelateur, freezer', named: 'congelateur, freezer' },
  {
    said: 'tele, televiseur, television, tv, ecran',
    named: 'televiseur, television, tv, ecran plat, flat screen',
  },
  {
    said: 'ordinateur, ordi, computer, pc, laptop',
    named: 'ordinateur, computer, pc, laptop, macbook',
  },
  {
    said: 'generateur, generator, electrogene, gen',
    named: 'generateur, generator, groupe electrogene',
  },
  { said: 'moto, motorbike, motorcycle, okada, bendskin', named: 'moto, motorbike, motorcycle' },
  { said: 'voiture, car, auto, vehicule, vehicle', named: 'voiture, car, vehicule, vehicle' },
  { said: 'velo, bicyclette, bicycle, bike', named: 'velo, bicyclette, bicycle, bike' },
  {
    said: 'chaussure, soulier, shoe, basket, sneaker',
    named: 'chaussure, soulier, shoe, basket, sneaker, sandale, sandal',
  },
  { said: 'sac, bag', named: 'sac, bag, handbag' },
  { said: 'tissu, fabric, cloth', named: 'tissu, fabric, cloth, pagne, wax' },
  {
    said: 'habit, vetement, clothes',
    named: 'habit, vetement, clothes, robe, dress, chemise, shirt',
  },
  {
    said: 'tshirt, teeshirt',
    named: 'tshirt, teeshirt, t shirt, tee shirt',
  },
  { said: 'montre, watch', named: 'montre, watch' },
  { said: 'ecouteur, casque, headphone, earphone', named: 'ecouteur, casque, headphone, earphone' },
  { said: 'livre, book', named: 'livre, book, roman, novel' },
  { said: 'lampe, lamp, torche, torch', named: 'lampe, lamp, torche, torch, lanterne, lantern' },
  { said: 'ventilo, ventilateur, fan', named: 'ventilateur, ventilo, fan' },
  {
    said: 'meuble, furniture',
    named: 'meuble, furniture, table, chaise, chair, armoire, canape, sofa',
  },
  { said: 'lit, bed', named: 'lit, bed' },
  { said: 'poisson, fish', named: 'poisson, fish' },
  { said: 'oeuf, egg', named: 'oeuf, egg' },
  { said: 'pneu, tyre, tire', named: 'pneu, tyre, tire' },
  { said: 'blender, mixeur, mixer', named: 'blender, mixeur, mixer' },
  { said: 'moustiquaire, mosquito', named: 'moustiquaire, mosquito net' },
];

const namedBy = new Map<string, string[]>();
for (const { said, named } of groups)
  for (const word of said.split(', ')) namedBy.set(word, named.split(', '));

const everyday = new Set(groups.flatMap(({ said, named }) => `${said}, ${named}`.split(/, | /)));
const singular = (word: string) => (word.endsWith('s') ? word.slice(0, -1) : word);

/** True for a word of the list, which is no slip even where no listing has it. */
export const isEveryday = (word: string): boolean =>
  everyday.has(word) || everyday.has(singular(word));

/** Words that {@link synonymsOf} knows, with the words that they find. */
export const knownWords: ReadonlyMap<string, readonly string[]> = namedBy;

/** Words that find the same things, the given one first. Knows plurals in -s. */
export function synonymsOf(word: string): string[] {
  const named = namedBy.get(word) ?? namedBy.get(singular(word));
  return [...new Set([word, ...(named ?? [])])];
}

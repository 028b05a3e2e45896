import { expect, test } from 'vitest';
import { soldText } from '../../api/products/rules.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';

test.each([...languages])(
  'only a live listing has a slot that goes to the next seller, in %s',
  (language) => {
    const say = (label: string) =>
      translator(language, 'seller')(`listing.confirm.${soldText(label)}`);
    const next = { en: 'goes to the next seller', fr: 'revient au vendeur suivant' }[language];
    expect(say('live')).toContain(next);
    for (const label of ['queued', 'approved', 'ended'])
      expect(say(label), label).not.toContain(next);
    expect(say('queued')).toMatch(/queue|file/);
  },
);

test('the demo says of the admin password what every start does', () => {
  expect(dictionaries.en.common.demo.adminPassword).toMatch(/each time/);
  expect(dictionaries.fr.common.demo.adminPassword).toMatch(/à chaque démarrage/);
});

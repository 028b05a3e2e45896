import { beforeEach, expect, test } from 'vitest';
import { emptyAnswers, toSubmission } from '../../../api/drafts/rules.ts';
import { edit } from '../../../api/products/edit.ts';
import { ownProduct } from '../../../api/products/form.ts';
import { decideEdit } from '../../../api/products/review/decideEdit.ts';
import { correction, edit as editRule, submission } from '../../../api/products/schema.ts';
import { translationOf } from '../../../api/shared/text.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { publicSlot } from '../../../api/slots/reads.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { draft, live, productRow } from '../../support/products.ts';

/** One French text for readers of both languages (product R56). */
const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

const name = 'Panier en raphia tressé';
const description = 'Deux anses, quarante centimètres de large, jamais utilisé.';
const french = {
  name: { en: name, fr: name },
  description: { en: description, fr: description },
  writtenIn: 'fr' as const,
};
const change = (overrides: object = {}) => {
  const { durationHours: _h, listingType: _t, paymentMethod: _p, ...rest } = draft(overrides);
  return rest;
};

test('fills the English from the French, which then needs the English minimum', () => {
  const answers = {
    ...emptyAnswers,
    'name.en': 'Typed before',
    'name.fr': name,
    'description.fr': 'Neuf',
    sameText: true,
  };
  const sent = toSubmission(answers, []);
  expect(sent).toMatchObject({ name: french.name, writtenIn: 'fr' });
  const problems = submission.safeParse(sent).error?.issues.map(({ path }) => path.join('.'));
  expect(problems).toContain('description.en');
  expect(toSubmission({ ...answers, sameText: false }, [])).not.toHaveProperty('writtenIn');
});

test('is refused where the two texts differ', () => {
  const image = '0b7a1c9e-1c8f-4c53-9a64-0f5f0c0b6a11';
  const sent = draft({ images: [image], writtenIn: 'fr' });
  for (const judged of [
    submission.safeParse(sent),
    editRule.safeParse(change(sent)),
    correction.safeParse({ ...change(sent), seen: new Date().toISOString() }),
  ])
    expect(judged.error?.issues.map(({ path }) => path)).toEqual([['writtenIn']]);
});

test('is stored in both, shown to readers of English as French, and found once', async () => {
  const { id, slotId } = await live(market, seller, admin, french);
  const shown = await publicSlot(await market.ctx(), slotId);
  expect(shown?.product_name).toEqual({ en: name, fr: name, written: 'fr' });
  expect(translationOf(shown?.product_description ?? null, 'en')).toEqual({
    text: description,
    lang: 'fr',
  });
  expect(translationOf(shown?.product_description ?? null, 'fr')).toEqual({ text: description });
  const [found] = await market.db.select().from(schema.findable);
  expect(found).toMatchObject({ productId: id, nameWords: 'panier en raphia tresse' });
});

test('stays with a change, or is given up by one that has English of its own', async () => {
  const { id } = await live(market, seller, admin, french);
  const images = [(await market.db.select().from(schema.uploads))[0]?.id ?? ''];
  const both = { en: `${name} 2`, fr: `${name} 2` };
  await edit(await market.ctx(seller), id, change({ ...french, name: both, images }));
  expect((await ownProduct(await market.ctx(seller), id)).change?.changes.writtenIn).toBe('fr');
  await decideEdit(await market.ctx(admin), id, 'approve');
  expect((await productRow(market, id)).name).toEqual({ ...both, written: 'fr' });
  await edit(
    await market.ctx(seller),
    id,
    change({ ...french, name: { en: 'Raffia basket', fr: name }, writtenIn: undefined, images }),
  );
  await decideEdit(await market.ctx(admin), id, 'approve');
  expect((await productRow(market, id)).name).toEqual({ en: 'Raffia basket', fr: name });
});

test('keeps in step when an admin corrects the French, until the English is written', async () => {
  const { id, slotId } = await live(market, seller, admin, french);
  const save = async (text: { en: string; fr?: string }) => {
    const given = { productId: id, durationHours: 24, name: text } as const;
    await editSlot(await market.ctx(admin), slotId, given);
    return (await productRow(market, id)).name;
  };
  const mended = 'Panier en raphia';
  const same = { en: mended, fr: mended, written: 'fr' };
  expect(await save({ en: name, fr: mended })).toEqual(same);
  expect(await save({ en: mended })).toEqual(same);
  expect(await save({ en: 'Raffia basket', fr: mended })).toEqual({
    en: 'Raffia basket',
    fr: mended,
  });
  expect(await save({ en: 'Raffia basket', fr: name })).toEqual({ en: 'Raffia basket', fr: name });
});

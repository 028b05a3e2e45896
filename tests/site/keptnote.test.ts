import { type ComponentProps, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { clean, cleanLine } from '../../api/shared/clean.ts';
import { clientTranslator } from '../../locales/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { emptyAnswers, toPost } from '../../site/src/features/connect/create/draft.ts';
import { Text } from '../../site/src/features/connect/create/fields.tsx';
import { TagsField } from '../../site/src/features/connect/create/TagsField.tsx';
import { createWords } from '../../site/src/features/connect/create/words.ts';
import { UpdateDialog } from '../../site/src/features/connect/post/UpdateDialog.tsx';
import { ownWords } from '../../site/src/features/connect/post/words.ts';
import { keptNote } from '../../site/src/features/forms/keptNote.ts';
import { BasicStep } from '../../site/src/features/selling/wizard/BasicStep.tsx';
import { emptyAnswers as emptyProduct } from '../../site/src/features/selling/wizard/draft.ts';
import { SellerStep } from '../../site/src/features/selling/wizard/SellerStep.tsx';
import { wizardWords } from '../../site/src/features/selling/words.ts';
import { storage } from '../../site/src/lib/storage.ts';

const noteOf = (typed: string, kept = clean(typed)) =>
  keptNote(typed, kept, 'en', dictionaries.en.validation);
const asSaved = (text: string) => dictionaries.en.validation.keptAs.replace('{{text}}', text);

describe('what a field says about the cleaning of its text', () => {
  test.each([
    ['an angle bracket', 'Price < 5000', asSaved('Price  5000')],
    ['a name of a handler', 'Price onclick=5000', asSaved('Price 5000')],
    ['a character that turns the text around', 'gnp\u202e.exe', asSaved('gnp.exe')],
    ['nothing that is kept', '<>', dictionaries.en.validation.keptNothing],
  ])('names what is kept of %s', (_, typed, note) => expect(noteOf(typed)).toBe(note));

  test.each([
    ['an ordinary text', 'Fix 2 taps & a pipe'],
    ['spaces around it', '  Fix two taps \n'],
    ['nothing', ''],
    ['spaces only', '   '],
    ['a control character, which nobody sees', 'Fix\u0007 two taps'],
    ['a text that is refused for its length before it is cleaned', `<${'a'.repeat(5000)}`],
  ])('is silent about %s', (_, typed) => expect(noteOf(typed)).toBe(''));

  test('is silent about line breaks that become one space', () =>
    expect(noteOf('Two\n\n lines', cleanLine('Two\n\n lines'))).toBe(''));

  test('shows a long text around its first change', () => {
    const note = noteOf(`${'a'.repeat(300)} < ${'b'.repeat(300)}`);
    expect(note).toMatch(/“…a+ {2}b+…”$/);
    expect(note.length).toBeLessThan(200);
  });
});

/** Text of a field's polite live region, and if the field's description includes it. */
function regionIn(html: string, name: string) {
  const field =
    html.split('<div class="field">').find((part) => part.includes(` name="${name}"`)) ?? '';
  const [, id, text] =
    /<p class="field__remark" id="([^"]+)" role="status">(.*?)<\/p>/.exec(field) ?? [];
  const described = /aria-describedby="([^"]+)"/.exec(field)?.[1]?.split(' ') ?? [];
  return { text, described: id !== undefined && described.includes(id) };
}

describe.each([...languages])(
  'in %s, what is kept stands at the field, in a live region that is there before it',
  (language) => {
    const { validation } = dictionaries[language];
    const saved = (text: string) => validation.keptAs.replace('{{text}}', text);
    const nothing = () => undefined;

    test('in the form of a new post, its tag among it', () => {
      const words = createWords(language);
      const form = {
        t: clientTranslator(language, words),
        language,
        errors: {},
        busy: false,
        set: nothing,
        validation,
        label: '',
      };
      for (const name of ['title', 'description', 'location', 'city', 'region'] as const) {
        const drawn = (text: string) =>
          renderToStaticMarkup(
            createElement(Text, { ...form, name, answers: { ...emptyAnswers, [name]: text } }),
          );
        expect(regionIn(drawn('Price > 5000'), name)).toEqual({
          text: saved(name === 'description' ? 'Price  5000' : 'Price 5000'),
          described: true,
        });
        expect(regionIn(drawn('Price'), name)).toEqual({ text: '', described: false });
      }
      const tags = renderToStaticMarkup(
        createElement(TagsField, {
          ...form,
          error: undefined,
          answers: { ...emptyAnswers, tag: '>5000' },
        }),
      );
      expect(regionIn(tags, 'tag')).toEqual({ text: saved('5000'), described: true });
    });

    test('in the form of an update', () => {
      storage.set('marche54.update.abc', JSON.stringify({ type: 'note', message: 'Now > 5000' }));
      const props = {
        language,
        reference: 'abc',
        balance: 2,
        links: { buy: '', signIn: '' },
        words: ownWords(language),
        open: true,
      };
      const given = { ...props, onClose: nothing, onAdded: nothing } as unknown as ComponentProps<
        typeof UpdateDialog
      >;
      expect(regionIn(renderToStaticMarkup(createElement(UpdateDialog, given)), 'message')).toEqual(
        { text: saved('Now  5000'), described: true },
      );
      storage.remove('marche54.update.abc');
    });

    test('in the steps of the wizard', () => {
      const words = wizardWords(language);
      const names = [
        'name.en',
        'name.fr',
        'description.en',
        'description.fr',
        'sellerName',
        'sellerLocation',
        'businessName',
      ] as const;
      const answers = {
        ...emptyProduct,
        ...Object.fromEntries(names.map((name) => [name, 'A>B'])),
      };
      const step = {
        language,
        words,
        t: clientTranslator(language, words),
        answers,
        errors: {},
        set: nothing,
        left: nothing,
        choosing: false,
      };
      const html =
        renderToStaticMarkup(createElement(BasicStep, step)) +
        renderToStaticMarkup(createElement(SellerStep, step));
      for (const name of names)
        expect(regionIn(html, name), name).toEqual({ text: saved('AB'), described: true });
    });
  },
);

test('a tag is cleaned when it is added, so that it reads as it is kept', () => {
  const tags = [...(toPost({ ...emptyAnswers, tag: ' <tap>  water ' }).tags ?? [])];
  expect(tags).toEqual(['tap water']);
});

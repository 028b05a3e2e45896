import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { TextInput } from '../../ui/Field.tsx';
import type { Form } from './useForm.ts';

const files = import.meta.glob<Dictionaries['shop']['questionForm']>(
  '../../../../locales/*/shop.json',
  { eager: true, import: 'questionForm' },
);
const wordsIn = (language: Language) =>
  files[`../../../../locales/${language}/shop.json`] as Dictionaries['shop']['questionForm'];

const focus = (input: HTMLInputElement | null) => input?.focus();

/** The server's question in a form. A new one takes the focus and starts empty. */
export function QuestionField({ form: { asked, language, field } }: { form: Form }) {
  if (!asked) return null;
  return (
    <div className="question-field" key={asked.token}>
      <input type="hidden" name="questionToken" value={asked.token} />
      <TextInput
        {...field('answer')}
        ref={focus}
        label={asked.question}
        hint={wordsIn(language).answerHint}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
      />
    </div>
  );
}

import type { ChangeEvent } from 'react';
import type { clientTranslator } from '../../../../../locales/client.ts';
import type { Language } from '../../../../../locales/languages.ts';
import type { FieldErrors } from '../../../lib/form.ts';
import { keptNote } from '../../forms/keptNote.ts';
import type { WizardWords } from '../words.ts';
import { type AnswerName, type Answers, asKept } from './draft.ts';

/** Answers that are strings. */
export type TextName = {
  [Name in AnswerName]: string extends Answers[Name] ? Name : never;
}[AnswerName];

export type StepProps = {
  language: Language;
  words: WizardWords;
  t: ReturnType<typeof clientTranslator<WizardWords>>;
  answers: Answers;
  errors: FieldErrors;
  set: <Name extends AnswerName>(name: Name, value: Answers[Name]) => void;
  left: (name: AnswerName) => void;
};

export const bind = ({ answers, errors, set, left }: StepProps, name: TextName) => ({
  name,
  value: answers[name],
  error: errors[name],
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
    set(name, event.target.value),
  onBlur: () => left(name),
});

/** Adds a remark when cleaning will shorten the text. */
export const bindText = (step: StepProps, name: TextName) => ({
  ...bind(step, name),
  remark: keptNote(
    step.answers[name],
    asKept(step.answers)[name],
    step.language,
    step.words.validation,
  ),
});

import type { clientTranslator } from '../../../../../locales/client.ts';
import type { Language } from '../../../../../locales/languages.ts';
import type { FieldErrors } from '../../../lib/form.ts';
import type { WizardWords } from '../words.ts';
import type { AnswerName, Answers } from './draft.ts';

/** What every step gets. */
export type StepProps = {
  language: Language;
  words: WizardWords;
  t: ReturnType<typeof clientTranslator<WizardWords>>;
  answers: Answers;
  errors: FieldErrors;
  set: <Name extends AnswerName>(name: Name, value: Answers[Name]) => void;
  /** Judges one field when it is left. */
  left: (name: AnswerName) => void;
};

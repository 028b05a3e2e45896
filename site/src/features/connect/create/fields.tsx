import { postLimits } from '../../../../../api/connect/schema.ts';
import { clean, cleanLine } from '../../../../../api/shared/clean.ts';
import { phoneNumberIn } from '../../../../../api/shared/contact/phoneNumbers.ts';
import type { clientTranslator } from '../../../../../locales/client.ts';
import type { Language } from '../../../../../locales/languages.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextArea, TextInput } from '../../../ui/Field.tsx';
import { counterOf } from '../../forms/counter.ts';
import { keptNote } from '../../forms/keptNote.ts';
import { type Answers, type TextName, withoutNumber } from './draft.ts';
import type { CreateWords } from './words.ts';

export type Translate = ReturnType<typeof clientTranslator<CreateWords>>;
export type FieldProps = {
  t: Translate;
  language: Language;
  answers: Answers;
  errors: Record<string, string>;
  busy: boolean;
  set: (change: Partial<Answers>) => void;
  validation: CreateWords['validation'];
};

/** Props of a field for an answer. */
export const held = (
  { answers, errors, busy, set }: Pick<FieldProps, 'answers' | 'errors' | 'busy' | 'set'>,
  name: TextName,
) => ({
  name,
  value: answers[name],
  error: errors[name],
  readOnly: busy,
  onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
});

type TextProps = FieldProps & {
  name: 'title' | 'description' | 'location' | 'city' | 'region';
  label: string;
  /** Id of suggestions. */
  list?: string;
  onFocus?: () => void;
  hint?: string;
  required?: boolean;
};

/** Public text field. Offers to move a phone number in it to the WhatsApp field. */
export function Text({ name, label, hint, required, list, onFocus, ...form }: TextProps) {
  const { t, language, answers, errors, set, validation } = form;
  const text = answers[name];
  const kept = name === 'description' ? clean(text) : cleanLine(text);
  const found = phoneNumberIn(text) !== undefined;
  const movable = found ? withoutNumber(text) : undefined;
  const limit = name === 'title' || name === 'description' ? postLimits[name] : undefined;
  const shared = {
    ...held(form, name),
    label,
    hint,
    required,
    ...(required ? {} : { optional: t('optional') }),
    error: found ? validation.phoneInText : errors[name],
    remark: keptNote(text, kept, language, validation),
    ...(limit
      ? {
          counter: counterOf(kept, limit, language, (count, most) =>
            t('counter', { count, limit: most }),
          ),
        }
      : { maxLength: postLimits.place }),
  };
  const move = () =>
    movable &&
    set({
      [name]: movable.text,
      ...(answers.contactWhatsapp.trim() ? {} : { contactWhatsapp: movable.number }),
    });
  return (
    <div className="create__text">
      {name === 'description' ? (
        <TextArea {...shared} />
      ) : (
        <TextInput {...shared} {...{ list, onFocus }} />
      )}
      {movable && (
        <Button compact data-move={name} disabled={form.busy} onClick={move}>
          {t(answers.contactWhatsapp.trim() ? 'takeOut' : 'move')}
        </Button>
      )}
    </div>
  );
}

import { languages } from '../../../../locales/languages.ts';
import { longestOf, type OwnWordsSetting, ownWords } from '../../../../locales/ownWords.ts';
import { TextArea, TextInput } from '../../ui/Field.tsx';
import type { SettingFieldProps } from './SettingGroup.tsx';
import type { Words } from './values.ts';

/** Longer sentences get several lines. */
const oneLine = 100;

/** Sentences that may be replaced, by language; each field is named by the one that it replaces. */
export function WordFields({
  name,
  words: { fields, original, languageNames },
  typed,
  set,
  error,
  busy,
}: SettingFieldProps & { name: OwnWordsSetting }) {
  const own = typed(name) as Words;
  return (
    <fieldset className="settings__words">
      <legend className="field__label">{fields[name].label}</legend>
      <p className="field__hint">{fields[name].hint}</p>
      {languages.map((language) => (
        <details
          key={language}
          open={ownWords[name].some((key) => error(`${name}.${language}.${key}`)) || undefined}
        >
          <summary lang={language}>{languageNames[language]}</summary>
          {ownWords[name].map((key) => {
            const Input = longestOf(key) > oneLine ? TextArea : TextInput;
            return (
              <Input
                key={key}
                label={<span lang={language}>{original[language][key]}</span>}
                lang={language}
                autoComplete="off"
                maxLength={longestOf(key)}
                error={error(`${name}.${language}.${key}`)}
                value={own[language]?.[key] ?? ''}
                readOnly={busy}
                onChange={(event: { target: { value: string } }) =>
                  set(name)({ [language]: { [key]: event.target.value } })
                }
              />
            );
          })}
        </details>
      ))}
    </fieldset>
  );
}

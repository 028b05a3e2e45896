import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isOwnWords, type SettingName } from '../../../../api/settings/schema.ts';
import { ApiError } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong } from '../../lib/form.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { messageOf } from '../admin/screen.ts';
import {
  judgeSetting,
  prefixed,
  type SettingsScreen,
  type Shown,
  type Typed,
  typedOf,
  type Words,
  withWords,
} from './values.ts';
import type { SettingWords } from './words.ts';

type Fields = {
  typed: (name: SettingName) => Typed;
  set: (name: SettingName) => (value: Typed) => void;
  /** Error of a field, by path: `contactPerHour` or `payees.cash.number`. */
  error: (path: string) => string | undefined;
  busy: boolean;
};
export type SettingFieldProps = Fields & { t: SettingsScreen['t']; words: SettingWords };
type Props = {
  screen: SettingsScreen;
  words: SettingWords;
  title: string;
  text?: string | undefined;
  names: readonly SettingName[];
  shown: readonly Shown[];
  children: (fields: Fields) => ReactNode;
};
type Edited = Partial<Record<SettingName, Typed>>;

/** Form of related settings. Sends only changed ones; input stays when that fails. */
export function SettingGroup({ screen, words, title, text, names, shown, children }: Props) {
  const { t, api, send, invalidate, signIn, language } = screen;
  const form = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<Edited>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const stored = (name: SettingName) =>
    typedOf(shown.find((setting) => setting.name === name)?.value);
  // Of sentences only the changed ones are kept and sent: another admin may change others.
  const typed = (name: SettingName) =>
    isOwnWords(name)
      ? withWords(stored(name) as Words, edited[name] as Words | undefined)
      : (edited[name] ?? stored(name));
  const changed = names.filter(
    (name) =>
      edited[name] !== undefined && JSON.stringify(edited[name]) !== JSON.stringify(stored(name)),
  );

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  const save = useAction({
    signIn,
    call: async (wanted: readonly { name: SettingName; value: unknown }[]) => {
      for (const { name, value } of wanted) {
        try {
          await send<object>(
            api.admin.settings[':name'].$put({ param: { name }, json: { value } }),
          );
        } catch (error) {
          if (error instanceof ApiError) setErrors(prefixed(name, error.fields));
          throw error;
        }
        // Reload before dropping the edit: the field must not show the old value in between.
        await invalidate('settings');
        setEdited(({ [name]: _, ...rest }) => rest);
      }
    },
    // One toast id: several toasts would cover the next save button.
    success: () => ({ title: t('saved'), id: 'settings', description: title }),
    failure: (error) => ({ title: t('saveFailed'), id: 'settings', description: messageOf(error) }),
  });

  const submit = () => {
    if (save.isPending) return;
    const judged = changed.map((name) => ({
      name,
      ...judgeSetting(name, edited[name] ?? stored(name), language, words),
    }));
    const wrong = Object.assign({}, ...judged.map((one) => one.errors)) as FieldErrors;
    setErrors(wrong);
    save.reset();
    if (Object.keys(wrong).length === 0) save.mutate(judged);
  };
  const last = shown
    .filter((setting) => names.includes(setting.name) && setting.updatedAt)
    .sort((a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''))[0];

  return (
    <form
      ref={form}
      className="panel settings__group"
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="row row--apart">
        <h2>{title}</h2>
        {changed.length > 0 && (
          <Badge tone="wait" icon="edit">
            {t('unsaved')}
          </Badge>
        )}
      </div>
      {text && <p className="soft">{text}</p>}
      {children({
        typed,
        set: (name) => (value) =>
          setEdited((now) => ({
            ...now,
            [name]: isOwnWords(name)
              ? withWords(now[name] as Words | undefined, value as Words)
              : value,
          })),
        error: (path) => errors[path],
        busy: save.isPending,
      })}
      <div role="alert">
        {save.error && (
          <Note tone="bad" title={t('saveFailed')}>
            {messageOf(save.error)}
          </Note>
        )}
      </div>
      <div className="row row--apart">
        <span className="soft small">
          {last?.updatedAt
            ? last.updatedBy
              ? t('changedBy', { date: dateTime(last.updatedAt, language), name: last.updatedBy })
              : t('changed', { date: dateTime(last.updatedAt, language) })
            : t('initial')}
        </span>
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          disabled={changed.length === 0}
          aria-label={`${t('save')}: ${title}`}
        >
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

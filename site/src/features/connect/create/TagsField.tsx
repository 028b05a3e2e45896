import { type KeyboardEvent, useRef, useState } from 'react';
import { postLimits } from '../../../../../api/connect/schema.ts';
import { cleanLine } from '../../../../../api/shared/clean.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { keptNote } from '../../forms/keptNote.ts';
import { withTag } from './draft.ts';
import type { FieldProps } from './fields.tsx';

type Props = Pick<FieldProps, 't' | 'language' | 'validation' | 'answers' | 'busy' | 'set'> & {
  error: string | undefined;
};

/** Tags, cleaned and without duplicates, added by Enter or the button. */
export function TagsField({
  t,
  language,
  validation,
  answers: { tag, tags },
  error,
  busy,
  set,
}: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const full = tags.length >= postLimits.tags;
  const limit = postLimits.tags;

  const add = () => {
    const more = withTag(tags, tag);
    // At the limit the typed tag stays, and the field explains.
    if (full && more !== tags) return;
    set({ tags: more, tag: '' });
    setSaid(more === tags ? '' : t('tagAdded', { tag: more[more.length - 1] ?? '' }));
    place.current?.querySelector('input')?.focus();
  };
  const remove = (gone: string) => {
    set({ tags: tags.filter((known) => known !== gone) });
    setSaid(t('tagRemoved', { tag: gone }));
    place.current?.querySelector('input')?.focus();
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };

  return (
    <div className="create__tags" ref={place}>
      <div className="create__tag-line">
        <TextInput
          name="tag"
          label={t('tags')}
          optional={t('optional')}
          hint={full ? t('tagsFull', { limit }) : t('tagsHint', { limit })}
          error={error}
          remark={keptNote(tag, cleanLine(tag), language, validation)}
          value={tag}
          maxLength={postLimits.tag}
          enterKeyHint="done"
          autoComplete="off"
          readOnly={busy}
          onChange={(event) => set({ tag: event.target.value })}
          onKeyDown={enter}
        />
        <Button disabled={busy || full || tag.trim() === ''} onClick={add}>
          {t('addTag')}
        </Button>
      </div>
      {tags.length > 0 && (
        <ul className="create__chips">
          {tags.map((known) => (
            <li key={known}>
              <button
                className="create__chip"
                type="button"
                disabled={busy}
                aria-label={t('removeTag', { tag: known })}
                onClick={() => remove(known)}
              >
                <bdi>{known}</bdi>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <span className="unseen" role="status">
        {said}
      </span>
    </div>
  );
}

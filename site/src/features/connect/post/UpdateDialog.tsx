import { type ChangeEvent, useMemo, useState } from 'react';
import { newUpdate, postLimits } from '../../../../../api/connect/schema.ts';
import { clean } from '../../../../../api/shared/clean.ts';
import { updateTypes } from '../../../../../db/vocabularies.ts';
import { clientTranslator } from '../../../../../locales/client.ts';
import type { Language } from '../../../../../locales/languages.ts';
import type { ApiClient } from '../../../lib/api.ts';
import { sessionLost } from '../../../lib/session.ts';
import { readJson, storage } from '../../../lib/storage.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Select, TextArea } from '../../../ui/Field.tsx';
import { guardDialog } from '../../../ui/guardDialog.tsx';
import { useAction } from '../../actions/useAction.ts';
import { counterOf } from '../../forms/counter.ts';
import { keptNote } from '../../forms/keptNote.ts';
import { leaving, useForm } from '../../forms/useForm.ts';
import { addUpdate } from './addUpdate.ts';
import { sayBalance } from './useBalance.ts';
import type { OwnWords } from './words.ts';

type Props = {
  api: ApiClient;
  language: Language;
  reference: string;
  balance: number | undefined;
  links: { buy: string; signIn: string };
  words: OwnWords;
  open: boolean;
  onClose: () => void;
  onAdded: () => void;
};

type Draft = { type: string; message: string };
const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'type' in value && 'message' in value;

/**
 * Add Update (product §2): type and text, for two credits. The draft stays on the device until it
 * is sent.
 */
export const UpdateDialog = guardDialog(function UpdateDialog({
  api,
  language,
  reference,
  balance,
  links,
  words,
  open,
  onClose,
  onAdded,
}: Props) {
  const { update, types } = words;
  const t = useMemo(() => clientTranslator(language, update), [language, update]);
  const place = `marche54.update.${reference}`;
  const [draft, setDraft] = useState<Draft>(
    () => readJson(storage, place, isDraft) ?? { type: 'note', message: '' },
  );
  const add = useAction(addUpdate(api, reference));
  const form = useForm({
    language,
    validation: words.validation,
    schema: newUpdate,
    send: async (json) => {
      const { balance: left } = await add.mutateAsync(json);
      storage.remove(place);
      sayBalance(left);
      onAdded();
      return leaving;
    },
    onRefused: (error) => sessionLost(error, links.signIn),
  });
  const keep = ({ target }: ChangeEvent<HTMLTextAreaElement | HTMLSelectElement>) => {
    const typed = { ...draft, [target.name]: target.value };
    setDraft(typed);
    storage.set(place, JSON.stringify(typed));
    form.forget(target.name);
  };
  const kept = clean(draft.message);
  const close = () => {
    form.clear();
    onClose();
  };
  const { code, message } = form.refused ?? {};
  const refused =
    code === 'credits.neededForUpdate' ? (
      <>
        <strong>{update.short}</strong> {message} <a href={links.buy}>{update.buy}</a>
      </>
    ) : (
      code && (
        <>
          <strong>{update.failed}</strong> {message} {update.kept}
        </>
      )
    );

  return (
    <Dialog
      open={open}
      title={update.title}
      closeLabel={words.close}
      busy={form.busy}
      error={refused}
      onClose={close}
      formRef={form.ref}
      onSubmit={form.props.onSubmit}
      actions={
        <>
          <Button disabled={form.busy} onClick={close}>
            {update.cancel}
          </Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {form.busy ? update.sending : update.send}
          </Button>
        </>
      }
    >
      <p>
        {update.price} {balance !== undefined && t('have', { count: balance })}
      </p>
      <TextArea
        {...form.field('message')}
        label={update.message}
        hint={update.hint}
        remark={keptNote(draft.message, kept, language, words.validation)}
        rows={4}
        required
        value={draft.message}
        onChange={keep}
        counter={counterOf(kept, postLimits.message, language, (count, limit) =>
          t('counter', { count, limit }),
        )}
      />
      <Select
        name="type"
        label={update.type}
        value={draft.type}
        onChange={keep}
        error={form.errors.type}
        options={updateTypes.map((type) => ({ value: type, label: types[type] }))}
      />
    </Dialog>
  );
});

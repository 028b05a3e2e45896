import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type * as z from 'zod/mini';
import { newPost } from '../../../../../api/connect/schema.ts';
import { prices } from '../../../../../api/credits/rules.ts';
import { postCategories } from '../../../../../db/vocabularies.ts';
import { clientTranslator } from '../../../../../locales/client.ts';
import { browserApi, unwrap } from '../../../lib/api.ts';
import { leaveFlash } from '../../../lib/flash.ts';
import { queryClient } from '../../../lib/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Select, TextInput } from '../../../ui/Field.tsx';
import { guardDialog } from '../../../ui/guardDialog.tsx';
import { Note } from '../../../ui/Note.tsx';
import { useAction } from '../../actions/useAction.ts';
import { leaving, useForm } from '../../forms/useForm.ts';
import { readCredits } from '../credits.ts';
import type { OpenedProps } from '../dialogProps.ts';
import { dialogWords } from '../words.ts';
import { type Answers, isEmpty, toPost } from './draft.ts';
import { held, Text } from './fields.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import { Problem } from './Problem.tsx';
import { TagsField } from './TagsField.tsx';
import { useAskAgain } from './useAskAgain.ts';
import { useDraft } from './useDraft.ts';
import { createWords } from './words.ts';

const required = ['title', 'description', 'category'] as const;

/**
 * Create Service Request (product §11): the draft stays until it is published, and is paid for
 * once.
 */
export default guardDialog(function CreateDialog({
  language,
  owner,
  links,
  open,
  onClose,
}: OpenedProps) {
  const words = createWords(language);
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const { close, connection } = dialogWords(language);
  const draft = useDraft(owner);
  const { answers } = draft;
  const credits = useQuery(
    {
      queryKey: ['credits'],
      queryFn: () => readCredits(language, connection),
      enabled: open,
      staleTime: 0,
    },
    queryClient(),
  );
  const balance = credits.data?.balance;
  const again = useAskAgain(draft, balance);

  const publish = useAction({
    call: (json: z.input<typeof newPost>) =>
      unwrap(
        browserApi(language).connect.posts.$post({
          json,
          header: { 'idempotency-key': draft.key },
        }),
        words.unanswered,
      ),
  });
  const form = useForm({
    language,
    validation: words.validation,
    schema: newPost,
    onRefused: (error) => again.noteTry(error),
    send: async (post) => {
      const { reference } = await publish.mutateAsync(post);
      draft.clear();
      leaveFlash({
        tone: 'success',
        title: t('published.title'),
        text: t('published.text', { price: prices.post }),
      });
      window.location.assign(`${links.connect}/${reference}`);
      return leaving;
    },
  });
  const { busy, errors } = form;

  const set = (change: Partial<Answers>) => {
    draft.set(change);
    // Typing clears the field's error, and those of single tags.
    for (const path of Object.keys(errors))
      if ((path.split('.')[0] ?? '') in change) form.forget(path);
  };
  const send = () => {
    const post = toPost(answers);
    // For an unreadable number the browser returns '', which must not count as an empty field.
    for (const name of ['budgetMin', 'budgetMax'] as const)
      if (
        (form.ref.current?.elements.namedItem(name) as HTMLInputElement | null)?.validity.badInput
      )
        post[name] = Number.NaN;
    if (again.mayGo()) void form.submit(post);
  };
  const anew = () => {
    draft.clear();
    form.clear();
    again.forget();
  };
  const wrong =
    Object.keys(errors).length > 0 &&
    (required.some((name) => errors[name] && !answers[name].trim()) ? 'missing' : 'check');
  const shared = { t, language, answers, errors, busy, set, validation: words.validation };
  const tagsError = Object.entries(errors).find(([path]) => path.split('.')[0] === 'tags')?.[1];

  return (
    <Dialog
      open={open}
      large
      title={t('title')}
      closeLabel={close}
      busy={busy}
      onClose={onClose}
      formRef={form.ref}
      onSubmit={send}
      error={
        again.asks
          ? t('tried.changed', { price: prices.post, balance: balance ?? '–' })
          : (form.refused || wrong) && (
              <Problem {...{ t, language, links, wrong, onAnew: anew }} refused={form.refused} />
            )
      }
      actions={
        <>
          <p className="create__cost">
            {t('cost', { price: prices.post })}{' '}
            {balance !== undefined && t('balance', { count: balance })}
          </p>
          <Button disabled={busy} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t('publish')}
          </Button>
        </>
      }
    >
      <div className="create">
        {draft.tried && !form.refused && !again.asks && !busy && (
          <Note tone="wait">{t('tried.text')}</Note>
        )}
        {balance !== undefined &&
          balance < prices.post &&
          form.refused?.code !== 'credits.neededForPost' && (
            <Note tone="wait" title={t('insufficient.title')}>
              {t('insufficient.text')} <a href="?buy">{t('insufficient.buy')}</a>
            </Note>
          )}
        <Text {...shared} name="title" label={t('name')} hint={t('nameHint')} required />
        <Text
          {...shared}
          name="description"
          label={t('description')}
          hint={t('descriptionHint')}
          required
        />
        <Select
          {...held(shared, 'category')}
          label={t('category')}
          required
          disabled={busy}
          placeholder={t('choose')}
          options={postCategories.map((value) => ({ value, label: t(`categories.${value}`) }))}
        />
        <fieldset className="create__row">
          <legend>{t('where')}</legend>
          <Text {...shared} name="location" label={t('location')} />
          <PlaceFields {...shared} place={words.place} />
        </fieldset>
        <fieldset className="create__row">
          <legend>{t('budget')}</legend>
          {(['budgetMin', 'budgetMax'] as const).map((name) => (
            <TextInput
              key={name}
              {...held(shared, name)}
              label={t(name)}
              optional={t('optional')}
              type="number"
              inputMode="decimal"
              min={0}
              step={0.01}
              before={t('currency')}
            />
          ))}
        </fieldset>
        <TagsField {...shared} error={tagsError} />
        <TextInput
          {...held(shared, 'contactWhatsapp')}
          label={t('whatsapp')}
          optional={t('optional')}
          hint={t('whatsappHint')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
        />
        <p className="create__kept">
          {t('kept')}
          {!isEmpty(answers) && (
            <Button compact variant="bare" disabled={busy} onClick={anew}>
              {t('clear')}
            </Button>
          )}
        </p>
      </div>
    </Dialog>
  );
});

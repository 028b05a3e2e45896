import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { phone, profile, sellerLocation, sellerName } from '../../../../api/sellers/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { type FieldErrors, focusFirstWrong, judge, typed, useReady } from '../../lib/form.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';

export type ProfileFormProps = {
  language: Language;
  /** Before a product can be listed, number and place are needed too (product §2 upload). */
  complete: boolean;
  /** Where to go once it is saved. */
  next: string;
  words: Dictionaries['seller']['profile'];
  optional: string;
  validation: Dictionaries['validation'];
  connection: string;
  /** What is said when one's own profile cannot be read, and the word for trying again. */
  unread: { failed: string; retry: string };
};

/** What a product's page needs of the person who sells: all three. */
const completeProfile = z.strictObject({ name: sellerName, whatsapp: phone, location: sellerLocation });

/** Makes or completes the seller profile. What is there already comes from the API: a number never stands in a page. */
export default function ProfileForm({ language, complete, next, words, optional, validation, connection, unread }: ProfileFormProps) {
  const t = clientTranslator(language, words);
  const ready = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const me = useQuery({ queryKey: ['me'], queryFn: () => unwrap(browserApi(language).auth.me.$get(), connection) }, queryClient());

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  useEffect(() => {
    const known = { name: me.data?.seller?.name ?? me.data?.name, whatsapp: me.data?.seller?.whatsapp, location: me.data?.seller?.location };
    for (const [name, value] of Object.entries(known)) {
      const input = form.current?.elements.namedItem(name);
      if (input instanceof HTMLInputElement && input.value === '' && value) input.value = value;
    }
  }, [me.data]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const draft = { name: typed(data, 'name'), whatsapp: typed(data, 'whatsapp'), location: typed(data, 'location') };
    const judged = judge(complete ? completeProfile : profile, draft, language, validation);
    setRefused(undefined);
    setErrors(judged.ok ? {} : judged.errors);
    if (!judged.ok) return;
    setBusy(true);
    try {
      await unwrap(browserApi(language).auth.profile.$put({ json: draft }), connection);
      leaveFlash({ tone: 'success', title: t('saved') });
      window.location.assign(next);
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.fields);
      setRefused(error.message);
    }
  };

  const also = complete ? { required: true } : { optional };
  return (
    <form ref={form} className="account__form" method="post" noValidate onSubmit={submit}>
      <div role="alert">
        {me.error && (
          <Note
            tone="bad"
            action={
              <Button compact busy={me.isFetching} onClick={() => me.refetch()}>
                {unread.retry}
              </Button>
            }
          >
            {unread.failed}
          </Note>
        )}
        {refused && (
          <Note tone="bad" title={t('failedTitle')}>
            {t('failed', { message: refused })}
          </Note>
        )}
      </div>
      <TextInput
        label={t('name')}
        name="name"
        required
        autoComplete="name"
        maxLength={100}
        placeholder={t('namePlaceholder')}
        error={errors.name}
        readOnly={busy}
      />
      <TextInput
        {...also}
        label={t('whatsapp')}
        name="whatsapp"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t('whatsappPlaceholder')}
        hint={t('whatsappHint')}
        error={errors.whatsapp}
        readOnly={busy}
      />
      <TextInput
        {...also}
        label={t('location')}
        name="location"
        autoComplete="off"
        maxLength={100}
        placeholder={t('locationPlaceholder')}
        hint={t('locationHint')}
        error={errors.location}
        readOnly={busy}
      />
      <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
        {t('save')}
      </Button>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { profile, sellerLocation, sellerName, shopName } from '../../../../api/sellers/schema.ts';
import { phone } from '../../../../api/shared/fields.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { typeInto } from '../../lib/form.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { PlaceField, type PlaceWords } from '../../ui/PlaceField.tsx';
import { leaving, useForm } from '../forms/useForm.ts';
import { NameField, WhatsappField } from './fields.tsx';

export type ProfileFormProps = {
  language: Language;
  /** Requires number and place, as a listing does (product §2 upload). */
  complete: boolean;
  /** Path after saving. */
  next: string;
  words: Dictionaries['seller']['profile'];
  place: PlaceWords;
  optional: string;
  validation: Dictionaries['validation'];
  connection: string;
  /** Error and retry label for a failed read. */
  unread: { failed: string; retry: string };
};

/** A listing requires all three. */
const completeProfile = z.strictObject({
  name: sellerName,
  whatsapp: phone,
  location: sellerLocation,
  businessName: z.optional(shopName),
});

/**
 * Creates or completes the seller profile. Values come from the API: a page never contains a
 * number.
 */
export default function ProfileForm({
  language,
  complete,
  next,
  words,
  place,
  optional,
  validation,
  connection,
  unread,
}: ProfileFormProps) {
  const t = clientTranslator(language, words);
  const form = useForm({
    language,
    validation,
    schema: complete ? completeProfile : profile,
    send: async ({ businessName, ...typed }) => {
      // Left empty only because the profile could not be read: the shop keeps its name.
      const json = businessName || me.data ? { ...typed, businessName } : typed;
      await unwrap(browserApi(language).auth.profile.$put({ json }), connection);
      leaveFlash({ tone: 'success', title: t('saved') });
      window.location.assign(next);
      return leaving;
    },
  });
  const { ref, ready, busy, refused } = form;
  const me = useQuery(
    { queryKey: ['me'], queryFn: () => unwrap(browserApi(language).auth.me.$get(), connection) },
    queryClient(),
  );

  useEffect(() => {
    const known = {
      name: me.data?.seller?.name ?? me.data?.name,
      whatsapp: me.data?.seller?.whatsapp,
      location: me.data?.seller?.location,
      businessName: me.data?.seller?.businessName,
    };
    for (const [name, value] of Object.entries(known)) {
      const input = ref.current?.elements.namedItem(name);
      if (!(input instanceof HTMLInputElement && input.value === '' && value)) continue;
      typeInto(input, value);
      // Select it, so that typing replaces the value.
      if (input === document.activeElement) input.select();
    }
  }, [me.data, ref]);

  const also = complete ? { required: true } : { optional };
  return (
    <form {...form.props} className="account__form">
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
            {t('failed', { message: refused.message })}
          </Note>
        )}
      </div>
      <NameField {...form.field('name')} label={t('name')} placeholder={t('namePlaceholder')} />
      <WhatsappField
        {...form.field('whatsapp')}
        {...also}
        label={t('whatsapp')}
        placeholder={t('whatsappPlaceholder')}
        hint={t('whatsappHint')}
      />
      <PlaceField
        {...form.field('location')}
        {...{ language, place }}
        {...also}
        label={t('location')}
        placeholder={t('locationPlaceholder')}
        hint={t('locationHint')}
      />
      <TextInput
        {...form.field('businessName')}
        {...{ optional }}
        autoComplete="organization"
        label={t('shopName')}
        placeholder={t('shopNamePlaceholder')}
        hint={t('shopNameHint')}
      />
      <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
        {t('save')}
      </Button>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { browserApi, unwrap } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Choices } from './Choices.tsx';
import type { StepProps } from './step.ts';
import './picker.css';

const shown = 6;

/** Seller an admin lists for. Fills in contact fields that were not typed. */
export function SellerPicker({ language, words, t, answers, errors, set }: StepProps) {
  const api = useMemo(() => browserApi(language), [language]);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const list = useQuery(
    {
      queryKey: ['sellers to choose', search],
      queryFn: () =>
        unwrap(api.admin.sellers.$get({ query: search ? { search } : {} }), words.connection),
      placeholderData: (before) => before,
    },
    queryClient(),
  );
  const all = list.data?.sellers ?? [];
  const found = all.slice(0, shown);
  // Keeps the chosen seller visible during another search.
  const [chosen, setChosen] = useState<(typeof all)[number]>();
  const mine = answers.sellerId
    ? (all.find(({ id }) => id === answers.sellerId) ?? chosen)
    : undefined;
  const options =
    mine && !found.includes(mine) ? [mine, ...found.filter(({ id }) => id !== mine.id)] : found;
  // Draft's seller, when not in the list.
  const unlisted =
    answers.sellerId && !mine && answers.sellerName
      ? [{ value: answers.sellerId, label: <bdi>{answers.sellerName}</bdi> }]
      : [];

  const choose = (id: string) => {
    const before = mine;
    const seller = all.find((known) => known.id === id);
    set('sellerId', id);
    setChosen(seller);
    const fill = (
      name: 'sellerName' | 'sellerWhatsapp' | 'sellerLocation' | 'businessName',
      old: string | null | undefined,
      next: string | null | undefined,
    ) => {
      if (answers[name] === '' || answers[name] === (old ?? '')) set(name, next ?? '');
    };
    fill('sellerName', before?.name, seller?.name);
    fill('sellerWhatsapp', before?.whatsapp, seller?.whatsapp);
    fill('sellerLocation', before?.location, seller?.location);
    fill('businessName', before?.businessName, seller?.businessName);
  };

  // A seller preset by the address gets filled in once; a name deleted later stays deleted.
  const [unfilled] = useState(answers.sellerName === '');
  const named = unfilled && mine && !chosen ? mine.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the seller is known
  useEffect(() => {
    if (named) choose(named);
  }, [named]);

  return (
    <div className="picker">
      <TextInput
        label={t('fields.findSeller')}
        name="findSeller"
        type="search"
        autoComplete="off"
        enterKeyHint="search"
        placeholder={t('fields.findSellerPlaceholder')}
        hint={t('fields.findSellerHint')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        // Enter searches; it must not submit the step.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {list.isPending && <Skeleton shape="line" count={3} />}
      {list.error && (
        <Note
          tone="bad"
          action={
            <Button compact busy={list.isFetching} onClick={() => list.refetch()}>
              {words.retry}
            </Button>
          }
        >
          {t('fields.sellersFailed')}
        </Note>
      )}
      <p className="soft small" role="status">
        {list.data && found.length === 0 && t('fields.sellersNone')}
      </p>
      {(list.data || unlisted.length > 0) && (
        <Choices
          legend={t('fields.onBehalf')}
          name="sellerId"
          error={errors.sellerId}
          options={[
            { value: '', label: t('fields.onBehalfNone') },
            ...unlisted,
            ...options.map((seller) => ({
              value: seller.id,
              label: <bdi>{seller.name}</bdi>,
              note: seller.suspended
                ? t('fields.sellerSuspended')
                : !seller.whatsapp || !seller.location
                  ? `${seller.email} · ${t('fields.sellerIncomplete')}`
                  : seller.email,
              disabled: seller.suspended,
            })),
          ]}
          value={answers.sellerId}
          onChoose={choose}
        />
      )}
      {(list.data?.total ?? 0) > shown && <p className="soft small">{t('fields.sellersMore')}</p>}
    </div>
  );
}

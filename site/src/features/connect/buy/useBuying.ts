import { useQuery } from '@tanstack/react-query';
import type { InferRequestType, InferResponseType } from 'hono/client';
import { useEffect, useRef, useState } from 'react';
import type { Language } from '../../../../../locales/languages.ts';
import { type ApiClient, browserApi, isRefused, unwrap } from '../../../lib/api.ts';
import { newKey } from '../../../lib/key.ts';
import { queryClient } from '../../../lib/query.ts';
import { useAction } from '../../actions/useAction.ts';
import { readCredits, tellBalance } from '../credits.ts';

type Purchases = InferResponseType<ApiClient['credits']['purchases']['$get'], 200>;
export type Purchase = Purchases['purchases'][number];
export type Pack = Purchases['pack'];
export type Method = Purchase['purchaseMethod'];
/** `phone` and `network` of the payer, where the way needs a number. */
export type Order = InferRequestType<ApiClient['credits']['purchases']['$post']>['json'];

const second = 1000;
/** Network of a number as its provider predicts it; undefined without an answer. */
export const networkOf = (language: Language, number: string) =>
  unwrap(browserApi(language).payments.network.$post({ json: { number } }), '').then(
    ({ network }) => network ?? undefined,
    () => undefined,
  );

const isRunning = ({ status, purchaseMethod }: Purchase) =>
  status === 'pending' && purchaseMethod !== 'cash_partner';

type Options = {
  language: Language;
  open: boolean;
  unanswered: string;
  connection: string;
  onBegun: (method: Method) => void;
  onEnd: (purchase: Purchase) => void;
};

/**
 * State of purchases. A running one is found again after a reload and polled each second until it
 * ends, even with the dialog closed.
 */
export function useBuying({ language, open, unanswered, connection, onBegun, onEnd }: Options) {
  const api = browserApi(language);
  const client = queryClient();
  const key = useRef(newKey());
  const [watched, setWatched] = useState<string>();

  const purchases = useQuery(
    {
      queryKey: ['purchases'],
      queryFn: () => unwrap(api.credits.purchases.$get({ query: {} }), connection),
      enabled: ({ state }) => open || (state.data?.purchases.some(isRunning) ?? false),
      refetchInterval: ({ state }) => (state.data?.purchases.some(isRunning) ? second : false),
      staleTime: 0,
    },
    client,
  );
  const limit = useQuery(
    {
      queryKey: ['weekly-limit'],
      queryFn: () => unwrap(api.credits['weekly-limit'].$get({ query: {} }), connection),
      enabled: open,
      staleTime: 0,
    },
    client,
  );
  const credits = useQuery(
    {
      queryKey: ['credits'],
      queryFn: () => readCredits(language, connection),
      enabled: open,
      staleTime: 0,
    },
    client,
  );

  const list = purchases.data?.purchases ?? [];
  const running = list.find(isRunning);
  useEffect(() => {
    if (running) setWatched(running.id);
  }, [running]);
  const current = list.find(({ id }) => id === watched);

  /** Reloads all three queries, then updates the page's balance. */
  const readAgain = async () => {
    const reads = [credits.refetch(), purchases.refetch(), limit.refetch()] as const;
    const [{ data }, { data: bought }] = await Promise.all(reads);
    if (data) tellBalance(data.balance);
    return bought;
  };
  const outcome = current && current.status !== 'pending' ? current.status : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the purchase that is watched is over
  useEffect(() => {
    if (!current || !outcome) return;
    onEnd(current);
    void readAgain();
  }, [current?.id, outcome]);

  const buy = useAction({
    call: (order: Order) =>
      unwrap(
        api.credits.purchases.$post({
          json: order,
          header: { 'idempotency-key': key.current },
        }),
        unanswered,
      ),
    onDone: async ({ id }, { method }) => {
      key.current = newKey();
      await readAgain();
      setWatched(id);
      onBegun(method);
    },
    // The request may have succeeded, or another window has bought.
    onRefused: async (error) => {
      const bought = await readAgain();
      if (!isRefused('payments.failed')(error)) return;
      // It is kept under its key, and says why it failed.
      key.current = newKey();
      show(bought?.purchases[0]?.id);
    },
  });
  const show = (id: string | undefined) => {
    setWatched(id);
    buy.reset();
  };
  const cancel = useAction({
    call: (id: string) =>
      unwrap(api.credits.purchases[':id'].cancel.$post({ param: { id } }), connection),
    onDone: readAgain,
    onRefused: readAgain,
  });
  return {
    pack: purchases.data?.pack,
    failed: purchases.error,
    again: () => purchases.refetch(),
    balance: credits.data?.balance,
    limit: limit.data,
    current,
    /** Unpaid cash purchases. */
    waiting: list.filter(
      ({ status, purchaseMethod }) => status === 'pending' && purchaseMethod === 'cash_partner',
    ),
    buy,
    cancel,
    /** Returns to the payment methods. */
    forget: () => show(undefined),
  };
}

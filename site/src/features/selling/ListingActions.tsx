import { useEffect, useMemo, useState } from 'react';
import { soldText, withdrawText } from '../../../../api/products/rules.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import { shareStatus } from './statusPicture.ts';
import type { ActionWords } from './words.ts';

const acts = ['relist', 'again', 'notAgain', 'sold', 'withdraw'] as const;
type Act = (typeof acts)[number];
/** The act of a listing's button. A picture is made at once; any other act is confirmed first. */
export type WayAct = Act | 'status';
const past = {
  relist: 'relisted',
  again: 'again',
  notAgain: 'notAgain',
  sold: 'sold',
  withdraw: 'withdrawn',
} as const;
type Asked = {
  act: Act;
  id: string;
  name: string;
  edit: string;
  fee: string | undefined;
  again: keyof typeof relistings | 'review' | undefined;
  label: string | undefined;
};

export type ListingActionsProps = { language: Language; words: ActionWords; signIn: string };

const relistings = {
  free: ['relistFree'],
  fee: ['relistFree', 'relistFee'],
  freeReviewed: ['relistReviewed', 'relistReviewEdit'],
  feeReviewed: ['relistReviewed', 'relistReviewEdit', 'relistFee'],
} as const;

/** Errors that mean the page is outdated: reload before anything else. */
const outdated = new Set(['products.notLive', 'products.notRelistable', 'products.notFound']);

/** Handles the buttons of all listings: confirms, sends, reloads. */
export default function ListingActions({ language, words, signIn }: ListingActionsProps) {
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const api = useMemo(() => browserApi(language), [language]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState(false);

  const perform = useAction({
    // A request without an answer may have succeeded: look, never repeat.
    once: true,
    signIn,
    call: async ({ act, id }: Asked): Promise<{ id: string; status?: string }> => {
      const routes = api.products[':id'];
      const which = { param: { id } };
      if (act === 'relist') return unwrap(routes.relist.$post(which), words.connection);
      if (act === 'sold') return unwrap(routes.sold.$post(which), words.connection);
      if (act === 'withdraw') return unwrap(routes.withdraw.$post(which), words.connection);
      return unwrap(
        routes.again.$put({ ...which, json: { wanted: act === 'again' } }),
        words.connection,
      );
    },
    onDone: ({ status }, { act, name, id }) => {
      const title =
        act === 'relist' && status === 'pending'
          ? words.resubmitted
          : t(`toast.${past[act]}`, { name });
      setDone(true);
      leaveFlash({ tone: 'success', title });
      showAgain(id);
    },
    onRefused: (error, { id }) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === 'sellers.suspended') window.location.reload();
      if (!outdated.has(error.code)) return;
      leaveFlash({ tone: 'error', title: t('toast.failed', { message: error.message }) });
      showAgain(id);
    },
  });
  const { reset } = perform;

  useEffect(() => {
    async function makePicture(button: HTMLElement, which: { id: string; name: string }) {
      button.setAttribute('aria-busy', 'true');
      try {
        await shareStatus(api, which, words.connection);
        toast.success(t('toast.status', which));
      } catch (error) {
        const message = error instanceof Error ? error.message : words.connection;
        toast.error(t('toast.failed', { message }));
      }
      button.removeAttribute('aria-busy');
    }
    const hear = (event: MouseEvent) => {
      const button =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act]') : null;
      const listing = button?.closest<HTMLElement>('[data-listing]');
      const act = acts.find((known) => known === button?.dataset.act);
      if (!button || !listing) return;
      const { listing: id = '', name = '', edit = '', fee, again, label } = listing.dataset;
      if (button.dataset.act === 'status') return void makePicture(button, { id, name });
      if (!act) return;
      reset();
      setAsked({ act, id, name, edit, fee, again: again as Asked['again'], label });
    };
    const buttons = document.querySelectorAll<HTMLButtonElement>('[data-listing] button[data-act]');
    for (const button of buttons) button.disabled = false;
    document.addEventListener('click', hear);
    return () => document.removeEventListener('click', hear);
  }, [reset, api, t, words]);

  const failed =
    perform.error &&
    t('toast.failed', {
      message: perform.error instanceof ApiError ? perform.error.message : String(perform.error),
    });
  const { act, name = '', edit = '' } = asked ?? {};
  const consequence = ({ act, name, fee, again, label }: Asked): string => {
    if (act === 'sold') return t(`confirm.${soldText(label)}`);
    if (act === 'withdraw') return t(`confirm.${withdrawText(label)}`);
    if (act === 'notAgain') return t('toast.notAgain', { name });
    if (act === 'again')
      return [t('confirm.againText'), fee && t('confirm.againFee', { amount: fee })].join(' ');
    if (again === 'review') return `${t('confirm.relistReview')} ${t('confirm.relistReviewEdit')}`;
    return relistings[again ?? 'free']
      .map((key) => t(`confirm.${key}`, { fee: fee ?? '' }))
      .join(' ');
  };

  return (
    <ConfirmDialog
      open={asked !== null}
      tone={act === 'withdraw' ? 'danger' : 'primary'}
      title={act ? t(`confirm.${act}Title`, { name }) : ''}
      consequence={asked && consequence(asked)}
      confirmLabel={act === 'relist' ? t('confirm.relistSame') : t(`actions.${act ?? 'sold'}`)}
      cancelLabel={words.cancel}
      closeLabel={words.close}
      busy={perform.isPending || done}
      error={failed}
      onConfirm={() => asked && perform.mutate(asked)}
      onClose={() => setAsked(null)}
    >
      {act === 'relist' && (
        <p>
          <ButtonLink href={edit}>{t('confirm.relistEdit')}</ButtonLink>
        </p>
      )}
    </ConfirmDialog>
  );
}

function showAgain(id: string): void {
  const here = new URL(window.location.href);
  here.searchParams.delete('listed');
  here.hash = `product-${id}`;
  window.history.replaceState(window.history.state, '', here);
  window.location.reload();
}

import { type MouseEvent, useEffect, useMemo, useState } from 'react';
import type { Language } from '../../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../../lib/api.ts';
import { leaveFlash } from '../../../lib/flash.ts';
import { useReady } from '../../../lib/form.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { useAction } from '../../actions/useAction.ts';
import { UpdateDialog } from './UpdateDialog.tsx';
import { useBalance } from './useBalance.ts';
import type { OwnWords } from './words.ts';

type Props = {
  language: Language;
  reference: string;
  status: 'active' | 'closed';
  balance: number | undefined;
  links: { buy: string; signIn: string; update: string };
  words: OwnWords;
};

/** The owner's actions: add an update, close, reopen. Each ends with a reload. */
export default function OwnPost({
  language,
  reference,
  status,
  balance: first,
  links,
  words,
}: Props) {
  const api = useMemo(() => browserApi(language), [language]);
  const ready = useReady();
  const balance = useBalance(first);
  const [updating, setUpdating] = useState(false);
  const active = status === 'active';
  useEffect(() => {
    if (new URL(location.href).searchParams.has('update')) setUpdating(true);
  }, []);

  const toggle = useAction({
    signIn: links.signIn,
    call: (to: Props['status']) =>
      unwrap(
        api.connect.posts[':reference'].status.$put({ param: { reference }, json: { status: to } }),
        '',
      ),
    failure: (error) => ({
      title: words.failed,
      ...(error instanceof ApiError && error.message ? { description: error.message } : {}),
    }),
    onDone: (_, to) => showAgain(to === 'active' ? words.activated : words.closed),
  });
  const update = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setUpdating(true);
  };

  return (
    <>
      {active && (
        <ButtonLink variant="primary" wide href={links.update} onClick={update}>
          <Icon name="plus" />
          {words.update.action}
        </ButtonLink>
      )}
      <Button
        wide
        disabled={!ready}
        busy={toggle.isPending || toggle.isSuccess}
        onClick={() => toggle.mutate(active ? 'closed' : 'active')}
      >
        <Icon name={active ? 'pause' : 'play'} />
        {active ? words.pause : words.activate}
      </Button>
      <p className="soft">{active ? words.pauseText : words.activateText}</p>
      <UpdateDialog
        {...{ api, language, reference, balance, links, words }}
        open={active && updating}
        onClose={() => setUpdating(false)}
        onAdded={() => showAgain(words.update.done)}
      />
    </>
  );
}

/** Reloads the page and shows a toast. */
function showAgain(title: string): void {
  leaveFlash({ tone: 'success', title });
  window.history.replaceState(window.history.state, '', window.location.pathname);
  window.location.reload();
}

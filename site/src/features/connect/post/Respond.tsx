import { useMemo, useState } from 'react';
import { clientTranslator } from '../../../../../locales/client.ts';
import type { Language } from '../../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../../lib/api.ts';
import { useReady } from '../../../lib/form.ts';
import { underKey } from '../../../lib/key.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Note } from '../../../ui/Note.tsx';
import { useAction } from '../../actions/useAction.ts';
import { sayBalance, useBalance } from './useBalance.ts';
import type { RespondWords } from './words.ts';

type Props = {
  language: Language;
  reference: string;
  /** This member has already paid for the post. */
  responded: boolean;
  /** Undefined when the read failed. */
  balance: number | undefined;
  links: { buy: string; signIn: string };
  words: RespondWords;
};

/** Credits per response. */
const price = 1;

/**
 * Contacts a post's owner for one credit, later again for free (product R35). WhatsApp opens in the
 * tab opened by the tap; if that is blocked, a link appears.
 */
export default function Respond({
  language,
  reference,
  responded,
  balance: first,
  links,
  words,
}: Props) {
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const api = useMemo(() => browserApi(language), [language]);
  const ready = useReady();
  const balance = useBalance(first);
  const [paid, setPaid] = useState(responded);
  const [link, setLink] = useState<string>();

  const respond = useAction({
    signIn: links.signIn,
    call: (_: Window | null) =>
      underKey(`respond.${reference}`, (key) =>
        unwrap(
          api.connect.posts[':reference'].responses.$post({
            param: { reference },
            header: { 'idempotency-key': key },
          }),
          words.failedText,
        ),
      ),
    success: (_, tab) =>
      tab !== null && { title: words.opened, description: t('openedText', { reference }) },
    onDone: ({ link: way, balance: left }, tab) => {
      setPaid(true);
      if (left !== null) sayBalance(left);
      if (!tab) return setLink(way);
      tab.opener = null;
      tab.location.href = way;
    },
    onRefused: (_, tab) => tab?.close(),
  });
  const open = () => {
    setLink(undefined);
    // Opened within the tap: after an await, browsers block it as a pop-up. No tab when the credits
    // do not suffice.
    respond.mutate(
      paid || balance === undefined || balance >= price ? window.open('about:blank') : null,
    );
  };

  return (
    <>
      <p className="post__price">
        {paid
          ? words.againText
          : `${words.price} ${balance === undefined ? '' : t('have', { count: balance })}`}
      </p>
      <Button variant="contact" wide disabled={!ready} busy={respond.isPending} onClick={open}>
        <Icon name="contact" />
        {respond.isPending ? words.opening : paid ? words.again : words.action}
      </Button>
      {!paid && <p className="soft">{words.how}</p>}
      <div role="status">
        {link && (
          <Note
            tone="wait"
            action={
              <ButtonLink href={link} target="_blank" rel="noopener noreferrer">
                {words.link}
              </ButtonLink>
            }
          >
            {words.ready}
          </Note>
        )}
      </div>
      <div role="alert">
        {respond.error && <Refused error={respond.error} words={words} buy={links.buy} />}
      </div>
    </>
  );
}

function Refused({ error, words, buy }: { error: Error; words: RespondWords; buy: string }) {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'credits.neededForResponse')
    return (
      <Note
        tone="wait"
        title={words.short}
        action={<ButtonLink href={buy}>{words.buy}</ButtonLink>}
      >
        {error.message}
      </Note>
    );
  if (code.startsWith('connect.')) return <Note tone="wait">{error.message}</Note>;
  return (
    <Note tone="bad" title={words.failed}>
      {words.failedText}
    </Note>
  );
}

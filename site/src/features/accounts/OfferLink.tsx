import { useState } from 'react';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { OfferWords } from './words.ts';

type Props = { language: Language; email: string; next: string; words: OfferWords; connection: string };

/** The way in for whoever is kept out by too many wrong passwords, which may be a stranger's: a mailed link. */
export function OfferLink({ language, email, next, words, connection }: Props) {
  const t = clientTranslator(language, words);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ done: boolean; text: string }>();

  const send = async () => {
    setBusy(true);
    try {
      await unwrap(browserApi(language).auth['sign-in-link'].$post({ json: { email, next } }), connection);
      setSaid({ done: true, text: t('sent', { email: email.trim() }) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setSaid({ done: false, text: error.message });
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="resend">
      <p role="status">{said ? said.text : t('offer')}</p>
      {!said?.done && (
        <Button busy={busy} onClick={() => void send()}>
          <Icon name="mail" />
          {t('send')}
        </Button>
      )}
    </div>
  );
}

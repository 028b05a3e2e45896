import { type MouseEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Language } from '../../../../locales/languages.ts';
import { toast } from '../../lib/toast.ts';
import { Drawing } from '../live/Drawing.tsx';
import { $contact, type Contacted, useStore } from '../live/stores.ts';
import type { Question } from './ContactQuestion.tsx';
import { askForContact, stepIsHere } from './contact.ts';
import { contactWords } from './contactWords.ts';
import { SendButton } from './SendButton.tsx';

type Props = {
  language: Language;
  closeLabel: string;
  demo?: string | undefined;
  /** Undefined on the market, where the tapped card sets it. */
  product?: Contacted;
};

/**
 * Consent step before WhatsApp (product R22): a modal dialog, or without a script a form shown by
 * `#contact`.
 */
export default function ContactStep({ language, closeLabel, demo, product: own }: Props) {
  const words = contactWords(language);
  const advices = [
    ...[words.safetyPlace, words.safetyCheck, words.safetyMoney],
    words.safetyBalance,
  ];
  const asked = useStore($contact, null);
  const product = asked ?? own;
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [live, setLive] = useState(false);
  const [opening, setOpening] = useState(false);
  const [link, setLink] = useState<string>();
  const [question, setQuestion] = useState<Question>();
  // Questions are rare, so their code loads with the first one.
  const [asking, setAsking] = useState<typeof import('./ContactQuestion.tsx')>();
  const [before, after] = words.what.split('{{name}}');

  useEffect(() => {
    if (!dialog.current?.showModal) return;
    setLive(true);
    // Opens on the same form, so that ticks made before hydration stay.
    if (own && location.hash === '#contact') $contact.set(own);
    return stepIsHere();
  }, [own]);

  useEffect(() => {
    const element = dialog.current;
    if (!element || !live) return;
    if (asked && !element.hasAttribute('open')) {
      setLink(undefined);
      setQuestion(undefined);
      element.showModal();
    }
    if (!asked && element.hasAttribute('open')) element.close();
  }, [asked, live]);

  const close = () => {
    form.current?.reset();
    $contact.set(null);
  };
  const beside = (event: MouseEvent) => event.target === dialog.current && close();

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    if (!live || !product) return;
    event.preventDefault();
    if (opening || event.currentTarget.querySelector('[data-open][aria-disabled]')) return;
    // Opened within the tap: browsers block it after an await.
    const tab = window.open('about:blank');
    setOpening(true);
    const answer = await askForContact(product.productId, new FormData(event.currentTarget));
    const parts =
      asking ?? (answer.question && (await import('./ContactQuestion.tsx').catch(() => undefined)));
    setOpening(false);
    if (answer.link === undefined) {
      tab?.close();
      setAsking(parts);
      setQuestion(parts && answer.question);
      if (parts && answer.question) return;
      toast(words.failed, {
        tone: 'bad',
        detail: answer.refusal === words.failed ? undefined : answer.refusal,
      });
      return;
    }
    setQuestion(undefined);
    setLink(answer.link);
    if (!tab) return;
    tab.opener = null;
    tab.location.href = answer.link;
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the keyboard's way
    <dialog
      ref={dialog}
      className="dialog contact"
      id="contact"
      aria-labelledby="contact-title"
      data-live={live || undefined}
      onClose={close}
      onClick={beside}
    >
      <form
        ref={form}
        className="dialog__sheet"
        method="post"
        action={product ? `/contact/${product.productId}?language=${language}` : '/contact'}
        onSubmit={submit}
      >
        <input type="hidden" name="slot" value={product?.slotId ?? ''} />
        <header className="dialog__head">
          <h2 id="contact-title">{words.title}</h2>
          <button
            className="tap"
            type="button"
            hidden={!live}
            aria-label={closeLabel}
            onClick={close}
          >
            <Drawing name="close" />
          </button>
        </header>
        <div className="dialog__body">
          {demo && <p className="contact__demo">{demo}</p>}
          <p hidden={question !== undefined}>
            {before}
            <b dir="auto">{product?.name}</b>
            {after}
          </p>
          <div className="contact__safety" hidden={question !== undefined}>
            <h3>{words.safetyTitle}</h3>
            <ul>
              {advices.map((advice) => (
                <li key={advice}>
                  <Drawing name="check" />
                  {advice}
                </li>
              ))}
            </ul>
          </div>
          <p className="contact__record" hidden={question !== undefined}>
            {words.record} <a href={`/${language}/privacy`}>{words.privacy}</a>
          </p>
          <label className="contact__consent">
            <input type="checkbox" name="consent" value="yes" required />
            <span>{words.consent}</span>
          </label>
          {question && asking && <asking.ContactQuestion asked={question} language={language} />}
          {link && (
            <p className="contact__again" ref={(line) => line?.scrollIntoView({ block: 'end' })}>
              <a href={link} target="_blank" rel="noopener noreferrer">
                {words.openAgain}
              </a>
            </p>
          )}
        </div>
        <footer className="dialog__foot">
          <button className="button" type="button" data-close hidden={!live} onClick={close}>
            {words.cancel}
          </button>
          {question && asking ? (
            <asking.ContactButton asked={question} opening={opening} language={language} />
          ) : (
            <SendButton opening={opening}>{opening ? words.opening : words.open}</SendButton>
          )}
        </footer>
      </form>
    </dialog>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { SendButton } from './SendButton.tsx';

/** `seconds`: wait before an answer counts. */
export type Question = { token: string; question: string; seconds: number; why: string };

const files = import.meta.glob<Dictionaries['shop']['questionForm']>(
  '../../../../locales/*/shop.json',
  { eager: true, import: 'questionForm' },
);
const wordsIn = (language: Language) =>
  files[`../../../../locales/${language}/shop.json`] as Dictionaries['shop']['questionForm'];

export function ContactQuestion({ asked, language }: { asked: Question; language: Language }) {
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every question that arrives is read again, the same one too.
  useEffect(() => {
    input.current?.focus();
    input.current?.closest('.contact__question')?.scrollIntoView({ block: 'nearest' });
  }, [asked]);
  return (
    <div className="contact__question">
      <p role="alert">{asked.why}</p>
      <input type="hidden" name="token" value={asked.token} />
      <label htmlFor="contact-answer">{asked.question}</label>
      <input
        ref={input}
        className="input"
        id="contact-answer"
        name="answer"
        required
        autoComplete="off"
        autoCapitalize="none"
        maxLength={200}
        aria-describedby="contact-answer-hint"
        key={asked.token}
      />
      <p className="contact__record" id="contact-answer-hint">
        {wordsIn(language).answerHint}
      </p>
    </div>
  );
}

export function ContactButton({
  asked,
  opening,
  language,
}: {
  asked: Question;
  opening: boolean;
  language: Language;
}) {
  const words = wordsIn(language);
  const [left, setLeft] = useState(asked.seconds);
  useEffect(() => {
    const ready = performance.now() + asked.seconds * 1000;
    const look = () => setLeft(Math.max(0, Math.ceil((ready - performance.now()) / 1000)));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [asked]);
  return (
    <SendButton opening={opening} early={left > 0}>
      {opening
        ? words.sending
        : left > 0
          ? words.wait.replace('{{seconds}}', String(left))
          : words.send}
    </SendButton>
  );
}

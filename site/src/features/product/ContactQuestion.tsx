import { useEffect, useRef, useState } from 'react';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { Drawing } from '../live/Drawing.tsx';

/** A question ahead of a seller's number, as the server puts it: the sentence that says why, and the seconds before an answer counts. */
export type Question = { token: string; question: string; seconds: number; why: string };
type Words = Pick<Dictionaries['shop']['contact'], 'answer' | 'answerHint' | 'send' | 'sending' | 'wait'>;

/** The question in the consent step, with its answer; a new one has the focus. */
export function ContactQuestion({ asked, words }: { asked: Question; words: Words }) {
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every question that arrives is read anew, the same one too.
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
        // Another question begins with an empty field.
        key={asked.token}
      />
      <p className="contact__record" id="contact-answer-hint">
        {words.answerHint}
      </p>
    </div>
  );
}

/** The button that sends the consent, or the answer once its time has come. */
export function ContactButton({ asked, opening, words }: { asked: Question | undefined; opening: boolean; words: Words & { open: string; opening: string } }) {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (!asked) return setLeft(0);
    const ready = performance.now() + asked.seconds * 1000;
    const look = () => setLeft(Math.max(0, Math.ceil((ready - performance.now()) / 1000)));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [asked]);
  const label = opening
    ? asked
      ? words.sending
      : words.opening
    : left > 0
      ? words.wait.replace('{{seconds}}', String(left))
      : asked
        ? words.send
        : words.open;
  return (
    <button className="button button--contact" type="submit" data-open aria-busy={opening || undefined} aria-disabled={left > 0 || undefined}>
      <Drawing name="contact" />
      <span>{label}</span>
    </button>
  );
}

import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { QuestionField } from '../forms/QuestionField.tsx';
import type { Form } from '../forms/useForm.ts';

type FormFrame = {
  form: Form;
  title: string;
  text?: string | undefined;
  /** With it the heading can have the focus. */
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Above the title: the ways in. */
  top?: ReactNode;
  /** What is good to know ahead of the fields. */
  note?: ReactNode;
  /** What stands above a refusal, and what can be done about it below. */
  refusedTitle?: string | undefined;
  remedy?: ReactNode;
  submit: string;
  /** Read aloud while it is sent. */
  submitting?: string | undefined;
  /** No form here now: what it holds is kept. */
  hidden?: boolean;
  /** The fields. */
  children?: ReactNode;
  /** Below the form: another way. */
  below?: ReactNode;
};

/** The frame of every form on the sheet before the door: title, what was refused, the fields, one button. */
export function AccountForm({
  form,
  title,
  text,
  heading,
  top,
  note,
  refusedTitle,
  remedy,
  submit,
  submitting,
  hidden,
  children,
  below,
}: FormFrame) {
  const { props, ready, busy, refused, asked } = form;
  return (
    <div className="account">
      {top}
      <div>
        <h1 ref={heading} tabIndex={heading && -1}>
          {title}
        </h1>
        {text && <p className="soft">{text}</p>}
      </div>
      {note}
      <div role="alert">
        {refused && (
          <Note
            tone={refused.code === 'auth.challenge' ? 'wait' : 'bad'}
            title={asked ? undefined : refusedTitle}
          >
            {refused.message}
            {remedy}
          </Note>
        )}
      </div>
      <form {...props} className="account__form" hidden={hidden}>
        {children}
        <QuestionField form={form} />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!ready}>
          {submit}
        </Button>
        {submitting && (
          <span className="unseen" role="status">
            {busy && submitting}
          </span>
        )}
      </form>
      {below}
    </div>
  );
}

const pictures = { pending: 'mail', success: 'check', expired: 'clock', error: 'warning' } as const;
type AccountStateKind = keyof typeof pictures;

type StateFrame = {
  kind: AccountStateKind;
  /** In place of the kind's own picture. */
  picture?: ReactNode;
  title: string;
  /** The heading has the focus whenever this becomes another word. */
  focus?: string | undefined;
  /** What there is to say, read aloud with the title. */
  news: ReactNode;
  /** What can be done next. */
  children: ReactNode;
};

/** The same sheet when there is nothing to fill in: how it went, and what comes next. */
export function AccountState({ kind, picture, title, focus, news, children }: StateFrame) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <div className="account account--state">
      <div className={`account__picture account__picture--${kind}`}>
        {picture || <Icon name={pictures[kind]} />}
      </div>
      <div className="account__news" role="status">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {news}
      </div>
      {children}
    </div>
  );
}

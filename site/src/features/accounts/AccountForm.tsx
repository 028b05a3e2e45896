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
  /** Makes the heading focusable. */
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Above the title. */
  top?: ReactNode;
  /** Above the fields. */
  note?: ReactNode;
  /** Title of a refusal, and the help below it. */
  refusedTitle?: string | undefined;
  remedy?: ReactNode;
  submit: string;
  /** Screen reader status while sending. */
  submitting?: string | undefined;
  /** Hides the form but keeps its values. */
  hidden?: boolean;
  children?: ReactNode;
  below?: ReactNode;
};

/** Frame of all sign-in forms: title, refusal, fields, one button. */
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
  /** Replaces the default picture. */
  picture?: ReactNode;
  title: string;
  /** Focuses the heading whenever this changes. */
  focus?: string | undefined;
  /** Read aloud with the title. */
  news: ReactNode;
  children: ReactNode;
};

/** The same frame without a form: outcome and next step. */
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

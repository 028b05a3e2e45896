import { type ComponentType, type ErrorInfo, useEffect, useRef, useState } from 'react';
import type { Dictionaries } from '../../../locales/keys.ts';
import { writeProblem } from '../lib/problem.ts';
import type { DialogProps } from './Dialog.tsx';
import sheet from './errorScreen.css?url';
import { Icon } from './Icon.tsx';

/** Automatic report: "our team has been notified" must be true (product R41). */
export { reportError as tell } from '../lib/report.ts';

/**
 * All languages at once: after a failure nothing else may need loading, and no page carries these
 * texts otherwise.
 */
const files = import.meta.glob<Dictionaries['common']['errorScreen']>(
  '../../../locales/*/common.json',
  { eager: true, import: 'errorScreen' },
);

export type ErrorScreenProps = {
  error: unknown;
  info: ErrorInfo | undefined;
  onRetry: () => void;
  /** Draws the screen in place of a failed dialog; `onClose` closes that dialog. */
  dialog?: { Dialog: ComponentType<DialogProps>; onClose: () => void } | undefined;
};

/** The generic error screen: 'Something went wrong' and the ways out (product §10). */
export function ErrorScreen({ error, info, onRetry, dialog }: ErrorScreenProps) {
  const [reported, setReported] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Takes the focus only if the person's own action led here and the focus was lost.
    if (navigator.userActivation?.hasBeenActive && document.activeElement === document.body)
      screen.current?.focus();
  }, []);
  const { lang } = document.documentElement;
  const say = files[
    `../../../locales/${lang}/common.json`
  ] as Dictionaries['common']['errorScreen'];
  const report = () => {
    const { message, stack } =
      error instanceof Error ? error : { message: String(error), stack: undefined };
    writeProblem({ message, stack: stack ?? info?.componentStack ?? '' });
    setReported(true);
  };
  const retry = () => {
    // Drops the answers that could not be drawn (lib/query.ts), which would fail again.
    window.dispatchEvent(new Event('marche54:again'));
    onRetry();
  };
  const actions = (
    <>
      <button className="button button--primary" type="button" data-first onClick={retry}>
        {say.tryAgain}
      </button>
      <a className="button" href={location.pathname.startsWith(`/${lang}`) ? `/${lang}` : '/'}>
        {say.goHome}
      </a>
      <button className="button button--bare" type="button" onClick={report}>
        {say.report}
      </button>
    </>
  );
  const text = (
    <>
      <p className="state__text">{say.text}</p>
      {reported && <p className="state__text">{say.reported}</p>}
    </>
  );
  const styles = <link rel="stylesheet" href={sheet} />;
  if (dialog) {
    const close = () => {
      retry();
      dialog.onClose();
    };
    return (
      <dialog.Dialog
        open
        title={say.title}
        closeLabel={say.close}
        onClose={close}
        actions={actions}
      >
        {styles}
        <div role="alert">{text}</div>
      </dialog.Dialog>
    );
  }
  return (
    <div className="state state--bad" role="alert" ref={screen} tabIndex={-1}>
      {styles}
      <div className="state__picture">
        <Icon name="warning" />
      </div>
      <h2>{say.title}</h2>
      {text}
      <div className="state__actions">{actions}</div>
    </div>
  );
}

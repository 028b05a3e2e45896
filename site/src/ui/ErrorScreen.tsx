import { type ComponentType, type ErrorInfo, useEffect, useRef, useState } from 'react';
import type { Dictionaries } from '../../../locales/keys.ts';
import { writeProblem } from '../lib/problem.ts';
import type { DialogProps } from './Dialog.tsx';
import sheet from './errorScreen.css?url';
import { Icon } from './Icon.tsx';

/** The automatic reporter hears of it too: "our team has been notified" must be true (product R41). */
export { reportError as tell } from '../lib/report.ts';

/** In every language: on the day when something fails nothing else must be asked for, and no page carries them every day. */
const files = import.meta.glob<Dictionaries['common']['errorScreen']>('../../../locales/*/common.json', { eager: true, import: 'errorScreen' });

export type ErrorScreenProps = {
  error: unknown;
  info: ErrorInfo | undefined;
  onRetry: () => void;
  /** Takes the focus that what failed has lost, and so comes into view. */
  focus: boolean;
  /** In place of a dialog: the dialog to draw it in. */
  frame?: { Dialog: ComponentType<DialogProps>; onClose: () => void };
};

/** 'Something went wrong', and what can be done (product §10). */
export function ErrorScreen({ error, info, onRetry, focus, frame }: ErrorScreenProps) {
  const [reported, setReported] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Who is busy elsewhere on the page stays there.
    if (focus && document.activeElement === document.body) screen.current?.focus();
  }, [focus]);
  const { lang } = document.documentElement;
  const say = files[`../../../locales/${lang}/common.json`] as Dictionaries['common']['errorScreen'];
  const report = () => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    writeProblem({ message, stack: stack ?? info?.componentStack ?? '' });
    setReported(true);
  };
  const actions = (
    <>
      <button className="button button--primary" type="button" data-first onClick={onRetry}>
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
  if (frame) {
    return (
      <frame.Dialog open title={say.title} closeLabel={say.close} onClose={frame.onClose} actions={actions}>
        {styles}
        <div role="alert">{text}</div>
      </frame.Dialog>
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

import { type ErrorInfo, useState } from 'react';
import type { Dictionaries } from '../../../locales/keys.ts';
import { writeProblem } from '../lib/problem.ts';
import sheet from './errorScreen.css?url';
import { Icon } from './Icon.tsx';

/** The automatic reporter hears of it too: "our team has been notified" must be true (product R41). */
export { reportError as tell } from '../lib/report.ts';

/** In every language: on the day when something fails nothing else must be asked for, and no page carries them every day. */
const files = import.meta.glob<Dictionaries['common']['errorScreen']>('../../../locales/*/common.json', { eager: true, import: 'errorScreen' });

export type ErrorScreenProps = { error: unknown; info: ErrorInfo | undefined; onRetry: () => void };

/** 'Something went wrong', and what can be done (product §10). */
export function ErrorScreen({ error, info, onRetry }: ErrorScreenProps) {
  const [reported, setReported] = useState(false);
  const { lang } = document.documentElement;
  const say = files[`../../../locales/${lang}/common.json`] as Dictionaries['common']['errorScreen'];
  const report = () => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    writeProblem({ message, stack: stack ?? info?.componentStack ?? '' });
    setReported(true);
  };
  return (
    <div className="state state--bad" role="alert">
      <link rel="stylesheet" href={sheet} />
      <div className="state__picture">
        <Icon name="warning" />
      </div>
      <h2>{say.title}</h2>
      <p className="state__text">{say.text}</p>
      <div className="state__actions">
        <button className="button button--primary" type="button" onClick={onRetry}>
          {say.tryAgain}
        </button>
        <a className="button" href={location.pathname.startsWith(`/${lang}`) ? `/${lang}` : '/'}>
          {say.goHome}
        </a>
        <button className="button button--bare" type="button" onClick={report}>
          {say.report}
        </button>
      </div>
      {reported && <p className="state__text">{say.reported}</p>}
    </div>
  );
}

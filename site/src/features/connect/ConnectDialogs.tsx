import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { takeFlashes } from '../../lib/flash.ts';
import { toast } from '../../lib/toast.ts';
import { type Asked, addressWith, askedIn } from './address.ts';
import type { DialogProps, OpenedProps } from './dialogProps.ts';
import sheet from './dialogs.css?url';
import './opening.css';

type Words = { loading: string; failed: string };
type Props = DialogProps & { signedIn: boolean; words: Words };
type Part = ComponentType<OpenedProps>;
type Name = Asked | 'auth';
/** Loaded on demand. Never on the server, or Astro would add their styles to every Connect page. */
const load: Record<Name, () => Promise<{ default: Part }>> | undefined = import.meta.env.SSR
  ? undefined
  : {
      new: () => import('./create/CreateDialog.tsx'),
      buy: () => import('./buy/BuyDialog.tsx'),
      auth: () => import('./SignInDialog.tsx'),
    };

/**
 * Opens Connect's dialogs when the address asks for one, and by links to `?new` and `?buy` without
 * leaving the page.
 */
export default function ConnectDialogs({ signedIn, words, ...shared }: Props) {
  const [asked, setAsked] = useState<Asked>();
  const [parts, setParts] = useState<Partial<Record<Name, Part>>>({});
  const name = asked && (signedIn ? asked : 'auth');

  useEffect(() => {
    const look = () => setAsked(askedIn(location.search));
    const click = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
      if (
        !link ||
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey
      )
        return;
      const wanted =
        link.pathname === location.pathname &&
        link.origin === location.origin &&
        askedIn(link.search);
      if (!wanted) return;
      event.preventDefault();
      // The Back button closes a dialog, or returns to the one before.
      if (wanted !== askedIn(location.search))
        history.pushState({ connect: true }, '', addressWith(location, wanted));
      look();
    };
    look();
    for (const { title, text } of takeFlashes()) toast(title, { tone: 'good', detail: text });
    document.addEventListener('click', click);
    window.addEventListener('popstate', look);
    return () => {
      document.removeEventListener('click', click);
      window.removeEventListener('popstate', look);
    };
  }, []);

  const close = () => {
    if (history.state?.connect) return history.back();
    history.replaceState(null, '', addressWith(location));
    setAsked(undefined);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each dialog that is asked for
  useEffect(() => {
    if (!name || parts[name]) return;
    load?.[name]().then(
      ({ default: Part }) => setParts((now) => ({ ...now, [name]: Part })),
      () => {
        toast(words.failed, { tone: 'bad' });
        close();
      },
    );
  }, [name]);

  const opening = (
    <p className="opening" role="status">
      {words.loading}
    </p>
  );
  const here = Object.entries(parts) as [Name, Part][];
  return (
    <Suspense fallback={opening}>
      {name && !parts[name] && opening}
      {here.length > 0 && <link rel="stylesheet" href={sheet} precedence="dialogs" />}
      {here.map(([part, Part]) => (
        <Part key={part} {...shared} asked={asked} open={part === name} onClose={close} />
      ))}
    </Suspense>
  );
}

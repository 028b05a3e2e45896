import { type ComponentType, createElement, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { startShell } from '../lib/shell.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.ts';

startShell();
const dialogs = 'HTMLDialogElement' in window ? undefined : import('../lib/dialog.ts');

/** Server-rendered children, in the markup of `@astrojs/react`. */
const written = (html: string, name?: string) =>
  createElement('astro-slot', {
    name,
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: html },
  });

/**
 * React's client entry (astro.config.ts): hydrates an island inside an error boundary. Does the
 * same as `@astrojs/react/client.js` for server-rendered islands; all of ours are.
 */
export default (element: HTMLElement) =>
  (
    Island: ComponentType<object>,
    props: object,
    { default: children, ...slots }: Record<string, string>,
  ): void | Promise<void> => {
    if (!element.hasAttribute('ssr')) return;
    const named = Object.fromEntries(
      Object.entries(slots).map(([name, html]) => [name, written(html, name)]),
    );
    const tree = createElement(
      ErrorBoundary,
      null,
      createElement(Island, { ...props, ...named }, ...(children ? [written(children)] : [])),
    );
    const hydrate = () =>
      startTransition(() => {
        const root = hydrateRoot(element, tree, {
          identifierPrefix: element.getAttribute('prefix') ?? '',
        });
        element.addEventListener('astro:unmount', () => root.unmount(), { once: true });
      });
    return dialogs ? dialogs.then(hydrate, hydrate) : hydrate();
  };

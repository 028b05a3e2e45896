import { type ComponentType, createElement, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { startShell } from '../lib/shell.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.ts';

startShell();

/** Children that the server wrote, as `@astrojs/react` writes them. */
const written = (html: string, name?: string) =>
  createElement('astro-slot', {
    name,
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: html },
  });

/**
 * Brings an island to life (astro.config.ts names it as React's client): the error screen stands around each, so that none can be without. It does what
 * `@astrojs/react/client.js` does for islands that the server has written; all of ours are.
 */
export default (element: HTMLElement) =>
  (
    Island: ComponentType<object>,
    props: object,
    { default: children, ...slots }: Record<string, string>,
  ): void => {
    if (!element.hasAttribute('ssr')) return;
    const named = Object.fromEntries(
      Object.entries(slots).map(([name, html]) => [name, written(html, name)]),
    );
    const tree = createElement(
      ErrorBoundary,
      null,
      createElement(Island, { ...props, ...named }, ...(children ? [written(children)] : [])),
    );
    startTransition(() => {
      const root = hydrateRoot(element, tree, {
        identifierPrefix: element.getAttribute('prefix') ?? '',
      });
      element.addEventListener('astro:unmount', () => root.unmount(), { once: true });
    });
  };

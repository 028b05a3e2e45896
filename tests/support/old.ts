import type { Page } from 'playwright';

/** Takes from a page what the oldest browsers lack (`browserslist` in package.json). */
export async function makeOld(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drop = (from: object | undefined, ...names: string[]) => {
      for (const name of names) if (from) delete (from as Record<string, unknown>)[name];
    };
    drop(Array.prototype, 'at', 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'with');
    drop(String.prototype, 'at', 'isWellFormed', 'toWellFormed');
    drop(Object, 'hasOwn', 'groupBy');
    drop(Promise, 'any', 'withResolvers', 'try');
    drop(Set.prototype, 'union', 'intersection', 'difference');
    drop(URL, 'canParse', 'parse');
    drop(AbortSignal, 'any', 'timeout');
    drop(Crypto.prototype, 'randomUUID');
    drop(HTMLFormElement.prototype, 'requestSubmit');
    drop(HTMLDialogElement.prototype, 'show', 'showModal', 'close', 'open', 'returnValue');
    drop(HTMLElement.prototype, 'popover', 'showPopover', 'hidePopover', 'togglePopover', 'inert');
    drop(Element.prototype, 'checkVisibility');
    drop(
      Element.prototype,
      ...Object.keys(Element.prototype).filter((key) => /^aria[A-Z]|^role$/.test(key)),
    );
    drop(Intl, 'Segmenter', 'ListFormat', 'DurationFormat');
    drop(
      window,
      ...['HTMLDialogElement', 'WeakRef', 'structuredClone', 'BroadcastChannel', 'scheduler'],
      ...['requestIdleCallback', 'cancelIdleCallback', 'createImageBitmap', 'OffscreenCanvas'],
    );
  });
}

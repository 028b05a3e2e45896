import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Language } from '../../locales/languages.ts';

/** The rules to which colours matter: the dearest, and all that another theme can break. */
const ofColours = ['color-contrast', 'link-in-text-block'];
type Look = {
  rules?: 'all' | 'colours' | 'allButColours';
  /** A selector: only what is in there. */
  include?: string | undefined;
};

/**
 * What is wrong with a page for those who cannot see it or see it badly, as it stands now: what axe finds, its best practices among it,
 * and landmarks that share a name. Messages that are just fading in or out are no state of the page.
 */
export async function faultsOn(
  page: Page,
  { rules = 'all', include }: Look = {},
): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'colours' ? { runOnly: { type: 'rule', values: ofColours } } : {}),
    ...(rules === 'allButColours'
      ? { rules: Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])) }
      : {}),
  };
  // Once a document, and run where it stands: the builder of axe for Playwright opens a page more for each look, which cost more than the looking.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // A dialog that fades in has paler colours than it will have.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const context = { include: include ? [include] : [], exclude: ['[data-sonner-toaster]'] };
  const violations = await page.evaluate(
    async (look) => {
      const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run(
        look.context,
        look.options,
      );
      return found.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ target, html }) => ({ target, html })),
      }));
    },
    { context, options },
  );
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html.slice(0, 120)}`).join(' | ')}`,
  );
  const shared =
    rules === 'colours'
      ? []
      : (await page.evaluate(landmarkNames)).filter(
          (name, order, all) => all.indexOf(name) !== order,
        );
  return [...found, ...shared.map((name) => `Two landmarks are called “${name}”`)];
}

/**
 * A screen without faults. In English by all rules, and once more by those of colours in the dark; in French, where other words stand in
 * the same places, by all but those of colours. The theme is then light again.
 */
export async function expectAccessible(
  page: Page,
  language: Language,
  include?: string,
): Promise<void> {
  const looks =
    language === 'fr'
      ? ([['light', 'allButColours']] as const)
      : ([['light', 'all'] as const, ['dark', 'colours'] as const] as const);
  for (const [colorScheme, rules] of looks) {
    await page.emulateMedia({ colorScheme });
    expect(await faultsOn(page, { rules, include }), `${page.url()}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The names of the landmarks that can be seen, whatever their kind: axe compares only those of one kind. Runs in the page. */
function landmarkNames(): string[] {
  const named = (element: Element) => {
    const by = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
    const words =
      by.length > 0
        ? by.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
        : (element.getAttribute('aria-label') ?? '');
    return words.replace(/\s+/g, ' ').trim();
  };
  // Without a name a section or a form is no landmark.
  const always = 'nav, aside, [role=navigation], [role=complementary], [role=region]';
  return [...document.querySelectorAll(`${always}, section, form`)]
    .filter(
      (element) => !element.closest('[aria-hidden=true], [inert]') && element.checkVisibility(),
    )
    .flatMap((element) =>
      element.matches(always) ? [named(element)] : [named(element)].filter(Boolean),
    );
}

import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Rules that depend on colours: the only ones that another theme can break. */
const ofColours = ['color-contrast', 'link-in-text-block'];
type Look = {
  rules?: 'all' | 'colours';
  include?: string | undefined;
};

/** Accessibility faults: axe findings with best practices, and landmarks that share a name. */
export async function faultsOn(
  page: Page,
  { rules = 'all', include }: Look = {},
): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'colours' ? { runOnly: { type: 'rule', values: ofColours } } : {}),
  };
  // Playwright's axe builder opens another page for each scan, which costs more than the scan.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // A dialog that fades in has paler colours than its final ones.
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
 * Expects no faults in the page's present theme. `long.test.ts` looks at every screen in the dark;
 * this is for states that it does not open.
 */
export async function expectAccessible(page: Page, include?: string): Promise<void> {
  expect(await faultsOn(page, { include }), page.url()).toEqual([]);
}

/** Visible landmarks' names, since axe compares only those of one kind. Runs in the page. */
function landmarkNames(): string[] {
  const named = (element: Element) => {
    const by = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
    const words =
      by.length > 0
        ? by.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
        : (element.getAttribute('aria-label') ?? '');
    return words.replace(/\s+/g, ' ').trim();
  };
  // Without a name a section or form is no landmark.
  const always = 'nav, aside, [role=navigation], [role=complementary], [role=region]';
  return [...document.querySelectorAll(`${always}, section, form`)]
    .filter(
      (element) => !element.closest('[aria-hidden=true], [inert]') && element.checkVisibility(),
    )
    .flatMap((element) =>
      element.matches(always) ? [named(element)] : [named(element)].filter(Boolean),
    );
}

import type { Page } from 'playwright';

const screens = [
  { width: 320, height: 568 },
  { width: 1024, height: 768 },
];

/**
 * Layout faults of a page or its open dialog: sideways scrolling, text that overflows, is cut
 * without a mark or overlaps, and unreachable buttons of the dialog.
 */
export async function layoutFaults(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const screen of screens) {
    await page.setViewportSize(screen);
    // The third frame shows what a ResizeObserver did after the first.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    });
    faults.push(
      ...(await page.evaluate(findFaults)).map((fault) => `${name} at ${screen.width}: ${fault}`),
    );
  }
  return faults;
}

type Look = Record<'position' | 'display' | 'overflowX' | 'overflowY', string> &
  Record<'clipped' | 'shortened' | 'pulled', boolean> & { frame: Sides };
type Sides = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom' | 'width' | 'height'>;

/** Runs in the page, so it refers to nothing outside itself. */
function findFaults(): string[] {
  // Browsers skip the layout of stalls far from the screen.
  if (document.adoptedStyleSheets.length === 0) {
    const all = new CSSStyleSheet();
    all.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets = [all];
  }
  const faults = new Set<string>();
  const said = (element: Element, text = '') =>
    `${element.localName}.${String(element.className).replaceAll(' ', '.')} “${text.trim().slice(0, 24)}”`;
  const extra = document.documentElement.scrollWidth - window.innerWidth;
  if (extra > 0) faults.add(`the page scrolls sideways by ${extra}`);

  const dialog = document.querySelector('dialog[open], .dialog:popover-open');
  for (const button of dialog?.querySelectorAll('.dialog__foot *') ?? [])
    if (button.getBoundingClientRect().bottom > window.innerHeight)
      faults.add(`below the screen: ${said(button, button.textContent ?? '')}`);

  const root = dialog ?? document.body;
  // Plain objects: each side of a DOMRect is a call, and every line is compared with every other.
  const plain = ({ left, right, top, bottom, width, height }: DOMRect): Sides => ({
    left,
    right,
    top,
    bottom,
    width,
    height,
  });
  // Caches styles: hundreds of texts share the same boxes.
  const looks = new Map<Element, Look>();
  const lookAt = (box: HTMLElement): Look => {
    const {
      clipPath,
      position,
      display,
      webkitLineClamp,
      textOverflow,
      overflowX,
      overflowY,
      marginLeft,
    } = getComputedStyle(box);
    const clipped =
      clipPath !== 'none' || (box.parentElement !== null && look(box.parentElement).clipped);
    const shortened = webkitLineClamp !== 'none' || textOverflow === 'ellipsis';
    const pulled = Number.parseFloat(marginLeft) < 0;
    return {
      clipped,
      position,
      display,
      shortened,
      overflowX,
      overflowY,
      pulled,
      frame: plain(box.getBoundingClientRect()),
    };
  };
  const look = (box: HTMLElement): Look => {
    const known = looks.get(box) ?? lookAt(box);
    looks.set(box, known);
    return known;
  };
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const lines: { line: Sides; element: HTMLElement }[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent ?? '';
    if (
      !element ||
      text.trim() === '' ||
      element.closest('svg, select, textarea, noscript, script, style, template')
    )
      continue;
    // Clipped to nothing: for screen readers only.
    if (!element.checkVisibility() || look(element).clipped) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()]
      .map(plain)
      .filter(({ width, height }) => width > 0 && height > 0);
    let lies = true;
    let pulled = false;
    for (
      let box: HTMLElement | null = element;
      box && box !== root.parentElement;
      box = box.parentElement
    ) {
      const { position, display, shortened, overflowX, overflowY, frame, ...own } = look(box);
      if (position !== 'static' && box !== root) lies = false;
      if (display === 'inline' || display === 'contents') continue;
      if (overflowX === 'auto' || overflowX === 'scroll') {
        // Text scrolled out of view overlaps nothing.
        rects.splice(
          0,
          rects.length,
          ...rects.filter(({ top, bottom }) => top >= frame.top && bottom <= frame.bottom),
        );
        break;
      }
      const out = rects.some(
        ({ left, right }) => right > frame.right + 1 || (!pulled && left < frame.left - 1),
      );
      const cut =
        overflowY === 'hidden' &&
        !shortened &&
        rects.some(({ top, bottom }) => bottom > frame.bottom + 1 || top < frame.top - 1);
      if (out || cut)
        faults.add(`${out ? 'out of' : 'cut by'} ${said(box)}: ${said(element, text)}`);
      // Outer boxes would repeat the finding.
      if (out) break;
      // A negative margin starts it outside its box on purpose.
      pulled ||= own.pulled;
      // Clamped lines are not shown.
      if (shortened)
        rects.splice(0, rects.length, ...rects.filter(({ bottom }) => bottom <= frame.bottom + 1));
    }
    if (lies) lines.push(...rects.map((line) => ({ line, element })));
  }
  for (const [order, { line: a, element }] of lines.entries()) {
    for (let next = order + 1; next < lines.length; next++) {
      const { line: b, element: other } = lines[next] as (typeof lines)[number];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Lines of a tight heading overlap slightly without their letters touching.
      if (across > 2 && down > 0.4 * Math.min(a.height, b.height) && element !== other)
        faults.add(
          `${said(element, element.textContent ?? '')} lies on ${said(other, other.textContent ?? '')}`,
        );
    }
  }
  return [...faults];
}

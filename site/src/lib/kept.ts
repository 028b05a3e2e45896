/** More than a full market's cards in both languages and all address forms. */
const most = 600;
const pieces = new Map<string, string>();

/** Cache of rendered HTML for `ui/Keep.astro`; drops the least recently used. */
export const kept = {
  get(name: string): string | undefined {
    const html = pieces.get(name);
    if (html !== undefined) {
      pieces.delete(name);
      pieces.set(name, html);
    }
    return html;
  },
  set(name: string, html: string): void {
    pieces.set(name, html);
    if (pieces.size > most) for (const [oldest] of pieces) return void pieces.delete(oldest);
  },
};

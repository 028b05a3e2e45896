/** More than the cards of a full market in both languages under all addresses; beyond, what was not used for longest goes. */
const most = 600;
const pieces = new Map<string, string>();

/** Pieces of HTML by name, for `ui/Keep.astro`. */
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

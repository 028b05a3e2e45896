import { record } from '../../lib/engagement.ts';
import { toast } from '../../lib/toast.ts';
import { type StallProduct, stallProductOf } from './stallProduct.ts';

/** `failed` holds `{{url}}`. */
export type ShareWords = { copied: string; failed: string };

let words: ShareWords | undefined;
let listening = false;

/**
 * Shares by the phone's sheet with the canonical address, else copies `/shop/slot/{id}`
 * (product §7, product R10).
 */
export function shareActions(given?: ShareWords): void {
  words = given ?? words;
  if (!listening) document.addEventListener('click', clicked);
  listening = true;
}

function clicked(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-action=share]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const stall = stallProductOf(link);
  if (!stall) return;
  share(stall, stall.link ?? link.href).then((shared) => {
    if (shared) record('share', stall);
  });
}

async function share({ slotId, name }: StallProduct, canonical: string): Promise<boolean> {
  if (navigator.share) {
    try {
      await navigator.share({ title: name || document.title, url: canonical.replace(/#.*/, '') });
      return true;
    } catch (error) {
      // Cancelled by the user.
      if ((error as Error).name === 'AbortError') return false;
    }
  }
  const url = `${location.origin}/shop/slot/${slotId}`;
  try {
    await navigator.clipboard.writeText(url);
    toast(words?.copied ?? url, { tone: 'good', detail: url });
    return true;
  } catch {
    toast((words?.failed ?? '{{url}}').replace('{{url}}', url), { tone: 'bad' });
    return false;
  }
}

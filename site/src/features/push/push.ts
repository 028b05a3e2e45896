import type { Dictionaries } from '../../../../locales/keys.ts';
import { tellWorker } from '../../lib/offline.ts';

/** `off`: the market tells no browser; `iphone`: only from the home screen. */
export type PushState = 'unsupported' | 'iphone' | 'off' | 'denied' | 'ready' | 'here';
export type PushWords = Dictionaries['alerts']['push'];

/** State of this browser, whose person is signed in. */
export async function pushState(): Promise<PushState> {
  if (!('PushManager' in window && 'Notification' in window && navigator.serviceWorker))
    return 'standalone' in navigator ? 'iphone' : 'unsupported';
  const { key, here } = await ask('GET');
  if (key === null) return 'off';
  if (Notification.permission === 'denied') return 'denied';
  const registration = here ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await registration?.pushManager.getSubscription()) ? 'here' : 'ready';
}

/** Has this browser told of alerts and favourites. Call it in a tap: browsers then ask the person. */
export async function tellHere(): Promise<PushState> {
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') return answer === 'denied' ? 'denied' : 'ready';
  const { key } = await ask('GET');
  if (key === null) return 'off';
  // The worker must know who is signed in, since it ends what another person had.
  const { pushManager } = await Promise.race([tellWorker(), late()]);
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(key),
  });
  try {
    const { endpoint, keys } = made.toJSON();
    await ask('PUT', { endpoint, keys });
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
  return 'here';
}

async function tellNoMore(): Promise<PushState> {
  await ask('DELETE');
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  return 'ready';
}

/** A worker of the release before never answers. */
const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(reject, 10_000);
  });

/** Refusal in the language of the page. */
class Refused extends Error {}

async function ask(method: string, body?: unknown): Promise<{ key: string | null; here: boolean }> {
  const headers = {
    'x-language': document.documentElement.lang,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await fetch('/api/push', init);
  const read = (await answer.json()) as { error?: { message: string } };
  if (!answer.ok) throw new Refused(read.error?.message ?? '');
  return read as { key: string | null; here: boolean };
}

/** Older browsers do not read base64url. */
function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Sentence for a failure. */
export const saidOf = (error: unknown, words: PushWords): string =>
  (error instanceof Refused && error.message) || words.failed;

/** Starts the panel (Push.astro): what this browser does, and a button that changes it. */
export async function startPanel(panel: HTMLElement): Promise<void> {
  const words = JSON.parse(panel.dataset.push ?? '') as PushWords;
  const text = panel.querySelector('p') as HTMLElement;
  const button = panel.querySelector('button') as HTMLButtonElement;
  let state: PushState = 'off';
  const show = (next: PushState) => {
    state = next;
    panel.hidden = state === 'off';
    if (state === 'off') return;
    text.textContent = words.states[state];
    button.hidden = state !== 'ready' && state !== 'here';
    button.textContent = state === 'here' ? words.stop : words.tell;
  };
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      show(await (state === 'here' ? tellNoMore() : tellHere()));
    } catch (error) {
      text.textContent = saidOf(error, words);
    }
    button.removeAttribute('aria-busy');
  });
  // Without an answer the panel stays away.
  show(await pushState().catch((): PushState => 'off'));
}

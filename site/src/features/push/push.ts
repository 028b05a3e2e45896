import type { OwnPush } from '../../../../api/push/rules.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { bytesOf } from '../../lib/bytes.ts';
import { notifyWorker } from '../../lib/offline.ts';

/** `off`: the market sends nothing to browsers; `iphone`: only from the home screen. */
export type PushState = 'unsupported' | 'iphone' | 'off' | 'denied' | 'ready' | 'here';
export type PushWords = Dictionaries['push'];
export type PanelWords = Pick<Dictionaries['alerts'], 'silent'> & { push: PushWords };

/** State of this browser; `silent`: the signed-in account gets no such messages. */
export async function pushState(): Promise<{ state: PushState; silent: boolean }> {
  const { key, here, silent } = await ask('GET');
  const stateOf = async (): Promise<PushState> => {
    if (key === null) return 'off';
    if (!('PushManager' in window && 'Notification' in window && navigator.serviceWorker))
      return (navigator as { standalone?: boolean }).standalone === false
        ? 'iphone'
        : 'unsupported';
    if (Notification.permission === 'denied') return 'denied';
    const made = here ? await ownSubscription() : undefined;
    if (!made || String(keyOf(made)) !== String(bytesOf(key))) return 'ready';
    // Mends a change of address that the market has missed.
    await ask('PUT', { ...addressOf(made), renews: true }).catch(() => {});
    return 'here';
  };
  return { state: await stateOf(), silent };
}

async function ownSubscription(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

const keyOf = ({ options }: PushSubscription) =>
  new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
function addressOf(made: PushSubscription) {
  const { endpoint, keys } = made.toJSON();
  return { endpoint, keys };
}

let running: Promise<PushState> | undefined;
/**
 * Subscribes this browser to alerts and favourites. Call it in a tap, since it asks for permission.
 * A second call joins the first.
 */
export function subscribeHere(): Promise<PushState> {
  running ??= subscribe().finally(() => {
    running = undefined;
  });
  return running;
}

async function subscribe(): Promise<PushState> {
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') return answer === 'denied' ? 'denied' : 'ready';
  const { key } = await ask('GET');
  if (key === null) return 'off';
  // The worker must know who is signed in, since it ends what another person had.
  const { pushManager } = await Promise.race([notifyWorker(), late()]);
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(key),
  });
  try {
    await ask('PUT', addressOf(made));
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
  return 'here';
}

async function unsubscribeHere(): Promise<PushState> {
  await ask('DELETE');
  await (await ownSubscription())?.unsubscribe();
  return 'ready';
}

/** A worker of the release before never answers. */
const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(reject, 10_000);
  });

/** Refusal in the language of the page. */
class Refused extends Error {}

async function ask(method: string, body?: unknown): Promise<OwnPush> {
  const headers = {
    'x-language': document.documentElement.lang,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await fetch('/api/push', init);
  const read = (await answer.json()) as { error?: { message: string } };
  if (!answer.ok) throw new Refused(read.error?.message ?? '');
  return read as unknown as OwnPush;
}

/** Sentence for a failure. */
export const saidOf = (error: unknown, words: PushWords): string =>
  (error instanceof Refused && error.message) || words.failed;

/** Starts the panel (Push.astro): what this browser does, and a button that changes it. */
export async function startPanel(panel: HTMLElement): Promise<void> {
  const { push: words, silent: unsaid } = JSON.parse(panel.dataset.push ?? '') as PanelWords;
  const text = panel.querySelector('p') as HTMLElement;
  const button = panel.querySelector('button') as HTMLButtonElement;
  // Without an answer the panel stays away.
  const off = { state: 'off', silent: false } as const;
  const { state: found, silent } = await pushState().catch(() => off);
  let state: PushState;
  const show = (next: PushState) => {
    state = next;
    panel.hidden = state === 'off';
    if (state === 'off') return;
    text.textContent = [words.states[state], silent && unsaid].filter(Boolean).join(' ');
    button.hidden = state !== 'ready' && state !== 'here';
    button.textContent = state === 'here' ? words.stop : words.tell;
  };
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      show(await (state === 'here' ? unsubscribeHere() : subscribeHere()));
    } catch (error) {
      text.textContent = saidOf(error, words);
    }
    button.removeAttribute('aria-busy');
  });
  show(found);
}

import { sessionMark } from '../../lib/mark.ts';
import { readJson, storage } from '../../lib/storage.ts';

/** A draft that waits for the network, whose it is, and what to ask before it is thrown away. */
type Waiting = { draft: string; mark: string; question: string };

const place = 'marche54.waiting';
const has = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && name in value;
const isWaiting = (value: unknown): value is Waiting =>
  has(value, 'draft') && has(value, 'mark') && has(value, 'question');
const stillWaits = (draft: string): boolean =>
  readJson(
    storage,
    draft,
    (value): value is { waits: true } => has(value, 'waits') && value.waits === true,
  ) !== null;

/** Remembers that a draft of this session's person waits. */
export const noteWaiting = (draft: string, question: string): void =>
  storage.set(place, JSON.stringify({ draft, mark: sessionMark(), question } satisfies Waiting));

/** Shows on the dashboard that a product waits (`data-waiting` names its draft). */
export function showWaiting(): void {
  const note = document.querySelector<HTMLElement>('[data-waiting]');
  const { waiting = '', question = '' } = note?.dataset ?? {};
  if (!note || !stillWaits(waiting)) return;
  noteWaiting(waiting, question);
  note.hidden = false;
}

/**
 * Asks before a sign-out throws away what this person has not sent yet. It is deleted once the
 * sign-out is done: without a network neither happens.
 */
export function askBeforeSignOut(): void {
  const ask = (event: Event) => {
    const form = event.target as HTMLFormElement;
    const waiting = readJson(storage, place, isWaiting);
    if (new URL(form.action).pathname !== '/sign-out' || !waiting) return;
    if (waiting.mark !== sessionMark() || !stillWaits(waiting.draft)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (window.confirm(waiting.question)) void signOut(form, waiting.draft);
  };
  // Before the form's own listeners.
  document.addEventListener('submit', ask, { capture: true });
}

async function signOut(form: HTMLFormElement, draft: string): Promise<void> {
  const body = new URLSearchParams(
    [...new FormData(form)].map(([name, value]) => [name, String(value)]),
  );
  const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(
    () => undefined,
  );
  // The browser says best what is wrong.
  if (answer?.type !== 'opaqueredirect') return form.submit();
  storage.remove(draft);
  storage.remove(place);
  await import('./wizard/keep.ts')
    .then(({ keepPhotos }) => keepPhotos(draft).clear())
    .catch(() => {});
  window.location.assign(body.get('returnTo') ?? '/');
}

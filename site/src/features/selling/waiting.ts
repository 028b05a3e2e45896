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

/** Asks before a sign-out throws away what this person has not sent yet. */
export function askBeforeSignOut(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const waiting = readJson(storage, place, isWaiting);
    if (new URL(form.action).pathname !== '/sign-out' || !waiting) return;
    if (waiting.mark !== sessionMark() || !stillWaits(waiting.draft)) return;
    event.preventDefault();
    if (window.confirm(waiting.question)) void throwAway(waiting.draft).then(() => form.submit());
  });
}

async function throwAway(draft: string): Promise<void> {
  const { keepPhotos } = await import('./wizard/keep.ts');
  storage.remove(draft);
  storage.remove(place);
  await keepPhotos(draft).clear();
}

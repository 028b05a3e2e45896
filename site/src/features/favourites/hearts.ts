import { codesIn } from '../../../../api/favourites/rules.ts';
import { codeInSlug } from '../../../../api/shared/slugs/productCode.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { session } from '../../lib/storage.ts';
import { toast } from '../../lib/toast.ts';
import { heartDrawing } from '../../ui/icons.ts';
import sheet from './hearts.css?url';

type Words = Pick<
  Dictionaries['favourites'],
  'heartNamed' | 'kept' | 'open' | 'offline' | 'alertsNew' | 'alertsOpen'
>;

const drawing = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${heartDrawing}</svg>`;

const { lang } = document.documentElement;
/** Codes of the favourites that this page knows. */
const kept = new Set<string>();
/** The first heart of a page says where they are. */
let told = false;
let line: Promise<unknown> = Promise.resolve();

const signedIn = () => /(?:^|; )signed-in=\w/.test(document.cookie);
const inCookie = () => codesIn(/(?:^|; )favourites=([\w.]+)/.exec(document.cookie)?.[1] ?? '');

/** Codes of the account, or of this browser without one. */
async function readKept(): Promise<string[]> {
  if (!signedIn()) return inCookie();
  const answer = await fetch('/api/favourites');
  return answer.ok ? ((await answer.json()) as { codes: string[] }).codes : [];
}

/** The code of a card, or of a product's page. */
function codeOf(heart: Element): string | undefined {
  const card = heart.closest<HTMLElement>('.stall');
  const link = card?.querySelector<HTMLAnchorElement>('h3 a');
  return (
    card?.dataset.product ??
    heart.closest('form')?.action.match(/\/([0-9a-f]{8})\b/)?.[1] ??
    codeInSlug(link?.pathname.split('/').pop() ?? '')
  );
}

function show(): void {
  for (const heart of document.querySelectorAll('.heart, [data-keep] button'))
    heart.setAttribute('aria-pressed', String(kept.has(codeOf(heart) ?? '')));
}

/** Puts a heart on each live card that has none. */
function draw(words: Words): void {
  for (const clock of document.querySelectorAll('.stall [data-end]')) {
    const card = clock.closest('.stall') as HTMLElement;
    if (card.querySelector('.heart')) continue;
    const heart = document.createElement('button');
    heart.type = 'button';
    heart.className = 'heart';
    const name = card.querySelector('h3')?.textContent?.trim() ?? '';
    heart.setAttribute(
      'aria-label',
      words.heartNamed.replace('{{name}}', () => name),
    );
    heart.innerHTML = drawing;
    card.append(heart);
  }
  show();
}

/** Keeps a listing or lets it go, and puts the heart back if that fails. */
async function turn(code: string, words: Words): Promise<void> {
  const keep = !kept.has(code);
  const set = (on: boolean) => {
    if (on) kept.add(code);
    else kept.delete(code);
    show();
  };
  set(keep);
  let said: string | undefined = words.offline;
  try {
    const answer = await fetch(`/api/favourites/${code}`, {
      method: keep ? 'PUT' : 'DELETE',
      headers: { 'x-language': lang },
    });
    const body = (await answer.json()) as { error?: { message: string } };
    if (answer.ok) said = undefined;
    else said = body.error?.message ?? words.offline;
  } catch {
    // Offline.
  }
  if (said !== undefined) {
    set(!keep);
    toast(said, { tone: 'bad' });
  } else if (keep && !told) {
    told = true;
    toast(words.kept, { tone: 'good', detail: linkTo('favourites', words.open) });
    // Without an answer nothing is offered.
    if (signedIn()) offerPush().catch(() => {});
  }
}

/** Offers to subscribe this browser, where that is possible. */
async function offerPush(): Promise<void> {
  const { pushState, saidOf, subscribeHere } = await import('../push/push.ts');
  const { state, silent } = await pushState();
  if (state !== 'ready' || silent) return;
  const { default: push } = (await import(`../../../../locales/${lang}/push.json`)) as {
    default: Dictionaries['push'];
  };
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = push.tell;
  button.addEventListener('click', async () => {
    try {
      const now = await subscribeHere();
      if (now === 'here') toast(push.done, { tone: 'good' });
      else if (now !== 'ready' && now !== 'off') toast(push.states[now]);
    } catch (error) {
      toast(saidOf(error, push), { tone: 'bad' });
    }
  });
  toast(push.offer, { detail: button });
}

function linkTo(page: string, words: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = `/${lang}/${page}`;
  link.textContent = words;
  return link;
}

/** Says once a visit, or half an hour, that something new fits an alert of this browser. */
async function tellNews(words: Words): Promise<void> {
  const isEarly = Date.now() - Number(session.get('alerts')) < 1_800_000;
  if (isEarly || !/(?:^|; )alerts=./.test(document.cookie)) return;
  session.set('alerts', String(Date.now()));
  const answer = await fetch('/api/alerts/device');
  const { alerts = [] } = (await answer.json()) as { alerts?: { fresh: number }[] };
  if (alerts.some(({ fresh }) => fresh > 0))
    toast(words.alertsNew, { tone: 'good', detail: linkTo('alerts', words.alertsOpen) });
}

/** Starts the hearts of a page. Returns what draws those of newer cards. */
export async function startHearts(): Promise<() => void> {
  const [{ default: words }, codes] = await Promise.all([
    import(`../../../../locales/${lang}/favourites.json`) as Promise<{ default: Words }>,
    readKept().catch(() => []),
    styled(),
  ]);
  for (const code of codes) kept.add(code);
  // In turn: each answer sets the cookie that the next request must carry.
  const act = (heart: Element) => {
    const code = codeOf(heart);
    if (code) line = line.then(() => turn(code, words));
  };
  document.addEventListener('click', ({ target }) => {
    const heart = (target as Element).closest('.heart');
    if (heart) act(heart);
  });
  document.addEventListener('submit', (event) => {
    const form = (event.target as Element).closest('[data-keep]');
    if (!form) return;
    event.preventDefault();
    act(form.querySelector('button') as Element);
  });
  draw(words);
  // It asks again at the next visit.
  tellNews(words).catch(() => session.remove('alerts'));
  return () => draw(words);
}

const styled = () =>
  new Promise<void>((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet });
    link.onload = () => resolve();
    document.head.append(link);
  });

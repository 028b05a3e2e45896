import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { $contact } from '../live/stores.ts';
import { boardOf } from './board.ts';
import type { Question } from './ContactQuestion.tsx';

type Answer = InferResponseType<ApiClient['products'][':id']['contact']['$post'], 200>;

let steps = 0;
let listening = false;

/** Tells the page that a consent step is there to be opened; until then a tap follows its link to `#contact`. Answers how to take that back. */
export function stepIsHere(): () => void {
  steps++;
  return () => {
    steps--;
  };
}

/** Every `[data-action=contact]` opens the consent step for its product (product R22). Asked for twice, it listens once. */
export function contactStep(): void {
  if (!listening) document.addEventListener('click', clicked);
  listening = true;
}

function clicked(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLElement>('[data-action=contact]');
  const contacted = boardOf(link);
  if (!contacted || steps === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  $contact.set(contacted);
}

type Asked =
  | { link: string; question?: undefined }
  | { link?: undefined; question?: Question | undefined; refusal?: string | undefined };

/** Asks for the way to a seller: the link into WhatsApp, a question that comes first, or why not, when the server said it. */
export async function askForContact(productId: string, sent: FormData): Promise<Asked> {
  try {
    const response = await fetch(`/api/products/${productId}/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-language': document.documentElement.lang },
      body: JSON.stringify({
        consent: sent.has('consent'),
        ...(sent.has('token') ? { token: sent.get('token'), answer: sent.get('answer') } : {}),
      }),
    });
    const answer = (await response.json()) as Answer & {
      error?: { message: string; details?: Omit<Question, 'why'> };
    };
    const link = response.ok ? answer[0]?.link : undefined;
    if (link) return { link };
    const { message, details } = answer.error ?? {};
    return details?.token ? { question: { ...details, why: message ?? '' } } : { refusal: message };
  } catch {
    // No answer came: the general sentence says what to do.
    return {};
  }
}

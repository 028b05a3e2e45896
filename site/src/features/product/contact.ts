import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { $contact } from '../live/stores.ts';
import type { Question } from './ContactQuestion.tsx';
import { stallProductOf } from './stallProduct.ts';

type Answer = InferResponseType<ApiClient['products'][':id']['contact']['$post'], 200>;

let steps = 0;
let listening = false;

/**
 * Registers a consent step, which opens on every `[data-action=contact]` (product R22); until then
 * taps follow their link. Returns a function that unregisters it.
 */
export function stepIsHere(): () => void {
  steps++;
  if (!listening) document.addEventListener('click', clicked);
  listening = true;
  return () => {
    steps--;
  };
}

function clicked(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLElement>('[data-action=contact]');
  const contacted = stallProductOf(link);
  if (!contacted || steps === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  $contact.set(contacted);
}

type Asked =
  | { link: string; question?: undefined }
  | { link?: undefined; question?: Question | undefined; refusal?: string | undefined };

/** Requests the WhatsApp link; may return a question or a refusal instead. */
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
    return {};
  }
}

import type { InferResponseType } from 'hono/client';
import type { ErrorBody } from '../../../../../api/shared/errors.ts';
import type { Language } from '../../../../../locales/languages.ts';
import type { ApiClient } from '../../../lib/api.ts';
import { sourceFor } from '../../market/slots.ts';

type Uploaded = InferResponseType<ApiClient['uploads']['$post'], 201>;
export type Sent =
  | { sent: true; id: string; copy: string }
  /** `busy`: another try may be taken. */
  | { sent: false; busy: boolean; code?: string; sentence?: string };
export type Sending = { done: Promise<Sent>; abort: () => void };

/** Upload timeout without progress, in ms. At 8 KB/s there is progress every few seconds. */
const silence = 45_000;

/** Uploads one photo, with progress, which `fetch` cannot report. */
export function sendPhoto({
  blob,
  name,
  language,
  onShare,
}: {
  blob: Blob;
  name: string;
  language: Language;
  onShare: (share: number) => void;
}): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Sent>((resolve) => {
    let watch: ReturnType<typeof setTimeout> | undefined;
    const moving = () => {
      clearTimeout(watch);
      watch = setTimeout(() => request.abort(), silence);
    };
    request.open('POST', '/api/uploads');
    request.responseType = 'text';
    request.setRequestHeader('content-type', blob.type || 'application/octet-stream');
    request.setRequestHeader(
      'x-file-name',
      encodeURIComponent([...name].slice(0, 50).join('').toWellFormed?.() ?? 'photo'),
    );
    request.setRequestHeader('x-language', language);
    request.upload.onprogress = (event) => {
      moving();
      if (event.lengthComputable) onShare(event.loaded / event.total);
    };
    request.onloadend = () => {
      clearTimeout(watch);
      const answer = parse(request.responseText);
      if (request.status === 201 && answer && 'id' in answer) {
        resolve({ sent: true, id: answer.id, copy: sourceFor(answer.image, 720) });
      } else {
        const error = answer && 'error' in answer ? answer.error : undefined;
        const busy = request.status === 429 || request.status >= 500;
        const said = error ? { code: error.code, sentence: error.message } : {};
        resolve({ sent: false, busy, ...said });
      }
    };
    moving();
    request.send(blob);
  });
  return { done, abort: () => request.abort() };
}

function parse(text: string): Uploaded | ErrorBody | undefined {
  try {
    return JSON.parse(text) as Uploaded | ErrorBody;
  } catch {
    return undefined;
  }
}

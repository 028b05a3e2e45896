import { type Api, GrammyError } from 'grammy';
import { type FetchPhoto, tooBig } from '../../messages/photos.ts';

type Bot = { api: Api; apiRoot: string; token: string };

/** Fetches a photo; errors never contain the URL, which holds the token. */
export const fetchPhoto =
  ({ api, apiRoot, token }: Bot): FetchPhoto =>
  async (ref, most, signal) => {
    const file = await api.getFile(ref, signal as never).catch((error) => {
      throw error instanceof GrammyError && /file is too big/i.test(error.description)
        ? tooBig(most)
        : error;
    });
    if ((file.file_size ?? 0) > most) throw tooBig(most);
    const answer = await fetch(`${apiRoot}/file/bot${token}/${file.file_path ?? ''}`, {
      signal,
    }).catch(() => undefined);
    if (!answer?.ok || !answer.body)
      throw new Error(`Telegram did not hand over a photo: ${answer?.status ?? 'no answer'}`);
    const pieces: Uint8Array[] = [];
    let total = 0;
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      total += piece.byteLength;
      if (total > most) throw tooBig(most);
      pieces.push(piece);
    }
    return Buffer.concat(pieces, total);
  };

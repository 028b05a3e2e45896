import { eq } from 'drizzle-orm';
import type { Message } from '../../api/core/chatMessages.ts';
import { chatKey, sealAddress, type Transport } from '../../api/people/chats.ts';
import type { Reply } from '../../bot/answers/types.ts';
import { type FetchPhoto, takePhotos } from '../../bot/messages/photos.ts';
import { answerMessage } from '../../bot/turn.ts';
import { schema } from '../../db/client.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';

/** A chat on a test market: answers at once, through the same turn as every transport. */
export async function chatting(
  market: TestApp,
  {
    person,
    language,
    address = 'a chat',
    transport = 'telegram',
  }: { person?: Person; language?: 'en' | 'fr'; address?: string; transport?: Transport } = {},
) {
  const { chats } = schema;
  const now = market.clock.now();
  const sealed = sealAddress(market.services.secret, transport, address);
  const linked = { userId: person?.userId ?? null, linkedAt: person ? now : null };
  await market.db
    .insert(chats)
    .values({ ...sealed, ...linked, language: language ?? null, createdAt: now });
  const keyHash = chatKey(market.services.secret, transport, address);
  return {
    keyHash,
    async say(
      text: string,
      sent: Omit<Message, 'text'> = {},
      fetchPhoto: FetchPhoto = async () => new Uint8Array(),
    ): Promise<Reply[]> {
      let answer: Reply[] = [];
      const keep = async (_: unknown, replies: Reply[]) => {
        answer = replies;
        return true;
      };
      const photos = sent.photos
        ? await takePhotos(market.job('chat'), keyHash, sent.photos, fetchPhoto)
        : [];
      await answerMessage(market.job('chat'), keyHash, { text, ...sent }, keep, photos);
      return answer;
    },
    row: async () => (await market.db.select().from(chats).where(eq(chats.keyHash, keyHash)))[0],
  };
}

export function said(replies: readonly Reply[], label: string): string {
  const button = replies
    .flatMap(({ buttons = [] }) => buttons.flat())
    .find((one) => one.label === label);
  if (!button || !('say' in button))
    throw new Error(
      `There is no button ${label} under ${replies.map(({ text }) => text).join(' / ')}`,
    );
  return button.say;
}

/** A reply as written in transcripts: text, picture, and each button with what it sends. */
export const written = ({ text, picture, buttons = [] }: Reply): string =>
  [
    ...(picture ? ['(picture)'] : []),
    text,
    ...buttons.map((row) =>
      row
        .map(
          (one) =>
            `[${one.label}${'say' in one ? `: ${one.say}` : 'url' in one ? `: ${one.url}` : ''}]`,
        )
        .join(' '),
    ),
  ].join('\n');

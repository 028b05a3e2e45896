import type { Incoming } from '../../../../api/chats/inbox.ts';
import type { Message } from '../../../../api/core/chatMessages.ts';
import { chatKey } from '../../../../api/people/chats.ts';
import { townAt } from '../../../../api/shared/places/townAt.ts';
import { numberOf, senderOf } from '../number.ts';
import type { WebMessage } from './wire.ts';

const said = new Set([
  'chat',
  'image',
  'video',
  'audio',
  'ptt',
  'ptv',
  'sticker',
  'document',
  'location',
  'vcard',
  'multi_vcard',
  'poll_creation',
  'order',
  'product',
]);

/**
 * Reads a private message. Undefined for groups, statuses, channels and the phone's own messages.
 * Hidden numbers arrive as `@lid`; they are served but prove nothing.
 */
export function readMessage(
  secret: string,
  {
    id,
    from,
    fromMe,
    type,
    body,
    timestamp,
    photo,
    contacts,
    place,
    confirmed,
    edited,
  }: WebMessage,
): Incoming | undefined {
  const [user = '', server] = from.split('@');
  if (fromMe || !said.has(type) || (server !== 'c.us' && server !== 'lid') || user === '')
    return undefined;
  const number = server === 'c.us' ? numberOf(user) : undefined;
  if (server === 'c.us' && !number) return undefined;
  // Hashed, because WhatsApp's id contains the sender's number.
  const hashed = (given: string) => `web:${chatKey(secret, 'whatsapp', given)}`;
  const own = hashed(`message ${id}`);
  return {
    transport: 'whatsapp',
    address: number ? number.slice(1) : from,
    updateId: edited ? hashed(`edit ${id} ${body}`) : own,
    at: new Date(timestamp * 1000),
    message: {
      ...(edited
        ? { text: body, edits: own }
        : { ...contentOf(), ...(type === 'chat' ? { id: own } : {}) }),
      ...(number ? senderOf(user, confirmed) : {}),
    },
  };

  function contentOf(): Message {
    if (type === 'vcard' || type === 'multi_vcard') {
      const own = number !== undefined && contacts?.every((one) => numberOf(one) === number);
      return own ? { text: '' } : { text: '', anothersContact: true };
    }
    const town = type === 'location' && place && townAt(place.latitude, place.longitude);
    if (town) return { text: town };
    if (type === 'image' && photo)
      return {
        text: body,
        photos: [{ ref: typeof photo === 'string' ? photo : `data:${photo.data}` }],
      };
    return type === 'chat' ? { text: body } : { text: '', wordless: true };
  }
}

/** Address of an id; undefined for one that is no number's. */
export const addressOf = (id: string): string | undefined =>
  id.endsWith('@c.us') ? numberOf(id.slice(0, -'@c.us'.length))?.slice(1) : undefined;

/** WhatsApp Web's id of an address; undefined for ids that only the Cloud API knows. */
export const chatIdOf = (address: string): string | undefined =>
  /^\d+$/.test(address) ? `${address}@c.us` : address.endsWith('@lid') ? address : undefined;

import * as z from 'zod/mini';
import type { LeftNumber } from '../../../../api/chats/closed/closeNumber.ts';
import type { Incoming } from '../../../../api/chats/inbox.ts';
import type { Undelivered } from '../../../../api/chats/undelivered.ts';
import type { Message } from '../../../../api/core/chatMessages.ts';
import { chatKey } from '../../../../api/people/chats.ts';
import { townAt } from '../../../../api/shared/places/townAt.ts';
import { numberOf, senderOf } from '../number.ts';

const text = z.catch(z.optional(z.string()), undefined);
const chosen = z.optional(z.looseObject({ id: z.string() }));
const file = z.optional(z.looseObject({ id: z.string(), mime_type: text, caption: text }));
/** Only the fields that are read; WhatsApp may change the others. */
const message = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(512)),
  type: z.string(),
  /** Digits. Missing if hidden; `from_user_id` is then known to this business alone. */
  from: text,
  from_user_id: text,
  timestamp: z.string().check(z.regex(/^\d{1,11}$/)),
  text: z.optional(z.looseObject({ body: z.string() })),
  button: z.optional(z.looseObject({ text: z.string() })),
  interactive: z.optional(z.looseObject({ button_reply: chosen, list_reply: chosen })),
  image: file,
  document: file,
  location: z.catch(
    z.optional(z.looseObject({ latitude: z.number(), longitude: z.number() })),
    undefined,
  ),
  edit: z.optional(
    z.looseObject({
      original_message_id: z.string(),
      message: z.looseObject({
        text: z.optional(z.looseObject({ body: z.string() })),
        image: file,
      }),
    }),
  ),
  contacts: z.optional(
    z.array(
      z.looseObject({ phones: z.optional(z.array(z.looseObject({ phone: text, wa_id: text }))) }),
    ),
  ),
});
type Said = z.output<typeof message>;
const change = z.looseObject({
  field: z.string(),
  value: z.looseObject({
    metadata: z.optional(z.looseObject({ phone_number_id: z.string() })),
    messages: z.optional(z.array(z.unknown())),
    statuses: z.optional(z.array(z.unknown())),
  }),
});
const delivery = z.looseObject({
  entry: z.array(z.looseObject({ changes: z.array(z.unknown()) })),
});

/** Only failures are read; sent, delivered and read say nothing that is needed. */
const failure = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(512)),
  status: z.literal('failed'),
  timestamp: z.string().check(z.regex(/^\d{1,11}$/)),
  recipient_id: text,
  errors: z.optional(
    z.array(
      z.looseObject({
        code: z.int(),
        title: text,
        message: text,
        error_data: z.optional(z.looseObject({ details: text })),
      }),
    ),
  ),
});

/** `from` is the number that was left. */
const left = z.looseObject({
  type: z.literal('system'),
  from: z.string(),
  timestamp: z.string().check(z.regex(/^\d{1,11}$/)),
  system: z.looseObject({ type: z.literal('user_changed_number') }),
});

/** Reactions and calls are left out; {@link readLeftNumbers} reads changed numbers. */
const said = new Set([
  'text',
  'interactive',
  'button',
  'image',
  'document',
  'contacts',
  'audio',
  'video',
  'sticker',
  'location',
  'order',
  'unsupported',
  'edit',
]);

/**
 * Messages to one phone number, oldest first. Unreadable parts are skipped: an error would only
 * make WhatsApp redeliver for days.
 */
export function readDelivery(
  { phoneId, secret }: { phoneId: string; secret: string },
  body: unknown,
): Incoming[] {
  return valuesOf(phoneId, body)
    .flatMap(({ messages = [] }) =>
      messages.flatMap((given) => message.safeParse(given).data ?? []),
    )
    .filter(({ type }) => said.has(type))
    .sort((one, other) => Number(one.timestamp) - Number(other.timestamp))
    .flatMap((one) => {
      const number = numberOf(one.from);
      const address = number ? number.slice(1) : one.from_user_id;
      if (!address || address.length > 200) return [];
      // Hashed, because WhatsApp's id contains the sender's number.
      const hashed = (id: string) => `${phoneId}:${chatKey(secret, 'whatsapp', `message ${id}`)}`;
      const updateId = hashed(one.id);
      const edited = one.type === 'edit' ? one.edit : undefined;
      const which = edited ? { edits: hashed(edited.original_message_id) } : { id: updateId };
      return {
        transport: 'whatsapp',
        address,
        updateId,
        at: new Date(Number(one.timestamp) * 1000),
        message: { ...contentOf(one, number), ...which },
      };
    });
}

/** Messages from one phone number that WhatsApp took and could not deliver. */
export function readFailures({ phoneId }: { phoneId: string }, body: unknown): Undelivered[] {
  return valuesOf(phoneId, body)
    .flatMap(({ statuses = [] }) =>
      statuses.flatMap((given) => failure.safeParse(given).data ?? []),
    )
    .map(({ id, timestamp, recipient_id: address = '', errors: [error] = [] }) => ({
      id,
      address,
      code: error?.code ?? 0,
      reason: error?.error_data?.details ?? error?.message ?? error?.title ?? '',
      at: new Date(Number(timestamp) * 1000),
    }));
}

/** Numbers that their people left for another one. */
export function readLeftNumbers({ phoneId }: { phoneId: string }, body: unknown): LeftNumber[] {
  return valuesOf(phoneId, body)
    .flatMap(({ messages = [] }) => messages.flatMap((given) => left.safeParse(given).data ?? []))
    .flatMap(({ from, timestamp }) => {
      const number = numberOf(from);
      const at = new Date(Number(timestamp) * 1000);
      return number ? [{ address: number.slice(1), at }] : [];
    });
}

/** The parts of a delivery about one phone number's messages. */
function valuesOf(phoneId: string, body: unknown) {
  const read = delivery.safeParse(body);
  if (!read.success) return [];
  return read.data.entry
    .flatMap(({ changes }) => changes.flatMap((given) => change.safeParse(given).data ?? []))
    .filter(
      ({ field, value }) => field === 'messages' && value.metadata?.phone_number_id === phoneId,
    )
    .map(({ value }) => value);
}

function contentOf(one: Said, number: string | undefined): Message {
  const sender = number ? senderOf(one.from) : {};
  if (one.type === 'contacts')
    return { text: '', ...sender, ...(ownContact(one, number) ? {} : { anothersContact: true }) };
  // The place itself is not stored.
  const town = one.location && townAt(one.location.latitude, one.location.longitude);
  if (town) return { text: town, ...sender };
  const photo =
    one.image ?? (/^image\//.test(one.document?.mime_type ?? '') ? one.document : undefined);
  const words =
    one.text?.body ??
    one.edit?.message.text?.body ??
    one.edit?.message.image?.caption ??
    one.interactive?.button_reply?.id ??
    one.interactive?.list_reply?.id ??
    one.button?.text;
  if (photo) return { text: photo.caption ?? '', ...sender, photos: [{ ref: photo.id }] };
  return words === undefined ? { text: '', ...sender, wordless: true } : { text: words, ...sender };
}

const ownContact = ({ contacts = [] }: Said, number: string | undefined): boolean =>
  number !== undefined &&
  contacts.every(({ phones = [] }) =>
    phones.some(({ phone, wa_id }) => numberOf(wa_id ?? phone) === number),
  );

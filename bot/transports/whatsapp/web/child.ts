import { rmSync } from 'node:fs';
import { join } from 'node:path';
import web, { type Client, type Message } from 'whatsapp-web.js';
import { todaysNumber } from '../number.ts';
import type { FromChild, Settings, ToChild, WebMessage } from './wire.ts';

/**
 * WhatsApp Web in a headless browser: a process without any of the market's secrets, which ends
 * when its parent is gone.
 */
const settings = JSON.parse(process.argv[2] ?? '') as Settings;
const say = (event: FromChild) => process.connected && process.send?.(event);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Locks of a killed browser block the next one; only one process has this session. */
for (const name of ['SingletonLock', 'SingletonCookie', 'SingletonSocket'])
  rmSync(join(settings.folder, 'session', name), { force: true });

const client: Client = new web.Client({
  authStrategy: new web.LocalAuth({ dataPath: settings.folder }),
  puppeteer: {
    executablePath: settings.chromium,
    headless: true,
    // The browser ends with this process, however that ends.
    pipe: true,
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-component-update',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  },
  authTimeoutMs: 60_000,
  ...(settings.number
    ? {
        pairWithPhoneNumber: {
          phoneNumber: settings.number,
          showNotification: true,
          intervalMs: 170_000,
        },
      }
    : {}),
  ...(settings.page
    ? {
        webVersion: settings.page.version,
        webVersionCache: { type: 'local', path: settings.page.folder },
      }
    : { webVersionCache: { type: 'none' } }),
});

let ending: Promise<void> | undefined;
function end(reason: string): Promise<void> {
  ending ??= (async () => {
    say({ event: 'over', reason });
    const closed = client.destroy().catch(() => {});
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 5000))]);
    process.exit(0);
  })();
  return ending;
}

/** In sequence: a photo takes a while, and later messages must stay behind it. */
let queue: Promise<unknown> = Promise.resolve();
function hear(message: Message, editedTo?: string): void {
  const edit = editedTo === undefined ? {} : { body: editedTo, edited: true as const };
  queue = queue
    .then(async () => say({ event: 'message', message: { ...(await read(message)), ...edit } }))
    .catch((error) => end(reasonOf(error)));
}

async function read(message: Message): Promise<WebMessage> {
  const { from, fromMe, type, body, timestamp, id, hasMedia, vCards, location } = message;
  const contacts = vCards.flatMap((card) =>
    [...card.matchAll(/waid=(\d+)/g)].map(([, digits]) => digits as string),
  );
  return {
    id: id._serialized,
    from,
    fromMe,
    type,
    body,
    timestamp,
    ...(contacts.length > 0 ? { contacts } : {}),
    ...(location ? { place: placeOf(location) } : {}),
    ...((await isOneAccount(from)) ? { confirmed: true } : {}),
    ...(hasMedia && type === 'image' && !fromMe ? { photo: await photoOf(message) } : {}),
  };
}

const placeOf = ({ latitude, longitude }: Message['location']) => ({
  latitude: Number(latitude),
  longitude: Number(longitude),
});

/** True if WhatsApp answers today's number with the old id that wrote. */
async function isOneAccount(from: string): Promise<boolean> {
  const today = todaysNumber(from.replace(/@c\.us$/, ''));
  if (today === undefined) return false;
  const known = await client.getNumberId(today.slice(1)).catch(() => null);
  return known?._serialized === from;
}

async function photoOf(message: Message): Promise<NonNullable<WebMessage['photo']>> {
  const { size = 0 } = (message.rawData ?? {}) as { size?: number };
  if (size > settings.mostBytes) return 'tooBig';
  const media = await message.downloadMedia().catch(() => undefined);
  if (!media) return 'lost';
  return (media.data.length * 3) / 4 > settings.mostBytes ? 'tooBig' : { data: media.data };
}

/** Unread messages of the last day; the receiver skips those it has stored. */
async function hearUnread(): Promise<void> {
  const since = Date.now() / 1000 - 86_400;
  for (const chat of await client.getChats()) {
    if (chat.isGroup || chat.unreadCount <= 0) continue;
    for (const message of await chat.fetchMessages({
      limit: Math.min(chat.unreadCount, 20),
      fromMe: false,
    }))
      if (message.timestamp > since) hear(message);
  }
}

async function send({
  id,
  to,
  text,
  jpeg,
}: Extract<ToChild, { send: object }>['send']): Promise<void> {
  try {
    if (jpeg)
      await client.sendMessage(
        to,
        new web.MessageMedia('image/jpeg', jpeg, 'picture.jpg'),
        text ? { caption: text } : {},
      );
    else await client.sendMessage(to, text, { linkPreview: false });
    say({ event: 'sent', id });
  } catch (error) {
    say({ event: 'sent', id, error: reasonOf(error) });
  }
}

client.on('qr', (text) => say({ event: 'pairing', text }));
client.on('code', (text) => say({ event: 'pairing', text }));
client.on('authenticated', () => say({ event: 'authenticated' }));
client.on('ready', () => {
  say({ event: 'ready' });
  hearUnread().catch(() => {});
});
client.on('message', (message: Message) => hear(message));
client.on('message_edit', (message: Message, body: unknown) => hear(message, String(body)));
client.on('contact_changed', ({ timestamp }: Message, id: string) =>
  say({ event: 'left', id, timestamp }),
);
client.on('auth_failure', (reason) => void end(`the session was refused: ${reason}`));
client.on('disconnected', (reason) => void end(`disconnected: ${reason}`));
process.on('message', (told: ToChild) => void ('send' in told ? send(told.send) : end('told to')));
process.on('disconnect', () => void end('nobody listens'));
process.on('SIGTERM', () => void end('told to'));
process.on('unhandledRejection', (error) => void end(reasonOf(error)));
process.on('uncaughtException', (error) => void end(reasonOf(error)));

client
  .initialize()
  .then(() => client.pupBrowser?.on('disconnected', () => void end('the browser is gone')))
  .catch((error) => end(reasonOf(error)));

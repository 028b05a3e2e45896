import { schema } from '../../db/client.ts';
import type { outboxChannels } from '../../db/schema/operations.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Key, Params } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx, Services } from './context.ts';
import { escapeHtml } from './html.ts';
import { seal, unseal } from './seal.ts';

type MailGroups = (typeof dictionaries)['en']['mail'];
/** Every mail that the product sends: a group of `mail.json` with a subject. */
export type MailKind = {
  [K in keyof MailGroups]: MailGroups[K] extends { subject: string } ? K : never;
}[keyof MailGroups];

type Channel = (typeof outboxChannels)[number];
/** What a message says; the link is whole. */
type Words = { name: string; language: Language; kind: MailKind; params?: Params; link?: string };
/**
 * A message to one recipient: a mail address, or the keyed hash of a chat. `userId` is whose account it is about, where there is one; `sealed` what a
 * chat is shown beside the words.
 */
export type Message = Words & {
  channel: Channel;
  recipient: string;
  userId: string | null;
  sealed?: string;
};

/** A reply of the bot, which a transaction of its own writes (api/chats): gone from the outbox once it was sent, or given up. */
export const replyKind = 'chatReply';

/** Test messages of the settings page: one try each, ahead of what waits for the same recipient (decision 063). */
export const triedOnce: readonly string[] = ['testMail', 'testChat'] satisfies MailKind[];

/**
 * Writes messages to the outbox, in the transaction of what they tell (decision 021), and answers their ids. Delivery follows
 * when that transaction has committed; a rollback takes them with it. Verbs call `notify` (api/people), which knows whom to tell and how.
 */
export async function writeMessages(ctx: Ctx, messages: readonly Message[]): Promise<string[]> {
  if (messages.length === 0) return [];
  const at = ctx.now();
  const rows = messages.map(({ channel, recipient, userId, sealed, ...words }) => {
    const { subject, text, html } =
      channel === 'email'
        ? compose(sealLink(ctx, recipient, words))
        : { ...composeForChat(words), html: '' };
    const { language, kind } = words;
    return {
      channel,
      recipient,
      userId,
      language,
      kind,
      subject,
      bodyText: text,
      bodyHtml: html,
      sealed: sealed ?? null,
      nextAttemptAt: at,
      createdAt: at,
    };
  });
  const written = await ctx.db
    .insert(schema.outbox)
    .values(rows)
    .returning({ id: schema.outbox.id });
  return written.map(({ id }) => id);
}

/** What makes a link worth stealing stands first in its query. */
const token = /(?<=\?(?:token|confirm)=)[^&#\s]+/;
const sealedToken = /(?<=\?(?:token|confirm)=)sealed\.([\w-]+)/g;

/** A letter stays in the outbox, and the outbox is in every backup: who reads it there must not find a link that opens an account (decision 006). */
const sealLink = ({ services }: Ctx, recipient: string, { link, ...words }: Words): Words => ({
  ...words,
  ...(link && {
    link: link.replace(
      token,
      (found) => `sealed.${seal(services.secret, 'marche54 mailed link', recipient, found)}`,
    ),
  }),
});

/** The text of a letter as its recipient reads it. With another secret since, its link stays closed: the person asks for another one. */
export function openLinks(
  { services }: { services: Pick<Services, 'secret' | 'log'> },
  recipient: string,
  text: string,
): string {
  return text.replace(sealedToken, (whole, sealed: string) => {
    try {
      return unseal(services.secret, 'marche54 mailed link', recipient, sealed);
    } catch (error) {
      services.log.warn('The link of a letter was sealed with another secret', { error });
      return whole;
    }
  });
}

/** Subject, lines and button of a message from its group of `mail.json`. */
function wordsOf({ name, language, kind, params = {}, link }: Words) {
  const sentence = translator(language, 'mail');
  const say = (key: string) => sentence(key as Key<'mail'>, { ...params, name });
  const group = dictionaries[language].mail[kind] as Record<string, string>;
  // A line about something that this message does not have (a fee where none is tracked) is left out.
  const known = (line: string) =>
    [...line.matchAll(/\{\{(\w+)\}\}/g)].every(
      ([, param]) => param === 'name' || params[param as string] !== undefined,
    );
  const lines = Object.keys(group)
    .filter((key) => /^line\d+$/.test(key) && known(group[key] as string))
    .sort()
    .map((key) => say(`${kind}.${key}`));
  return {
    say,
    subject: say(`${kind}.subject`),
    lines,
    action: link && group.action ? say(`${kind}.action`) : undefined,
  };
}

/** The same for a chat: no greeting, no signature, nothing about mail; the subject is its first line. */
export function composeForChat(words: Words): { subject: string; text: string } {
  const { subject, lines, action } = wordsOf(words);
  const { link } = words;
  return {
    subject,
    text: [subject, ...lines, ...(link ? [action ? `${action}\n${link}` : link] : [])].join('\n\n'),
  };
}

/** As many lines as were typed, in the direction in which they are read. */
const paragraph = (text: string): string =>
  `<p dir="auto">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

/** Composes subject, plain text and HTML of a mail from `mail.json`. */
export function compose(words: Words): { subject: string; text: string; html: string } {
  const { say, subject, lines, action } = wordsOf(words);
  const { name, language, link, kind } = words;
  const greeting = say(name ? 'common.greeting' : 'common.greetingNoName');
  const signature = say('common.signature');
  const hint = say('common.linkHint');
  // There is no account yet, and perhaps never will be.
  const footer = say(
    kind === 'verifyEmail' || kind === 'verifyMember' ? 'common.footerSignUp' : 'common.footer',
  );
  const text = [
    greeting,
    ...lines,
    ...(link ? [action ? `${action}\n${link}` : link] : []),
    `${signature}\n${footer}`,
  ].join('\n\n');
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:#b8371f;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(action ?? link)}</a></p><p style="color:#555;font-size:13px;word-break:break-all">${escapeHtml(hint)}<br>${escapeHtml(link)}</p>`
    : '';
  const html = `<!doctype html><html lang="${language}"><body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1d1f3a;max-width:560px;margin:0 auto;padding:24px;overflow-wrap:anywhere;word-break:break-word">${[greeting, ...lines].map(paragraph).join('')}${button}<p>${escapeHtml(signature)}</p><p style="color:#555;font-size:13px">${escapeHtml(footer)}</p></body></html>`;
  return { subject, text, html };
}

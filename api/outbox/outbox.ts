import { schema } from '../../db/client.ts';
import type { outboxChannels } from '../../db/vocabularies.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Key, Params } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx, Services } from '../core/context.ts';
import { palette } from '../shared/brand/current.ts';
import { markPath } from '../shared/brand/mark.ts';
import { escapeHtml } from '../shared/html.ts';
import { seal, unseal } from './sealing.ts';

type MailGroups = (typeof dictionaries)['en']['mail'];
export type MailKind = {
  [K in keyof MailGroups]: MailGroups[K] extends { subject: string } ? K : never;
}[keyof MailGroups];

type Channel = (typeof outboxChannels)[number];
type Words = {
  name: string;
  language: Language;
  kind: MailKind;
  params?: Params;
  link?: string;
  /** Address of a photo, for mails. */
  picture?: string;
};
/**
 * A message for a mail address, or the keyed hash of a chat or of an account's browsers. `userId` is
 * the account it concerns; `sealed` is shown beside the text; `held` waits until a stopped chat's
 * person writes.
 */
export type Message = Words & {
  channel: Channel;
  recipient: string;
  userId: string | null;
  sealed?: string;
  held?: true;
  /** Ends mails like this one (RFC 8058). */
  unsubscribe?: string;
};

/** A bot reply (api/chats), deleted once sent or given up. */
export const replyKind = 'chatReply';

/** Test messages: one try, ahead of other messages to the recipient (decision 021). */
export const triedOnce: readonly string[] = ['testMail', 'testChat'] satisfies MailKind[];

/**
 * Writes messages in the caller's transaction (decision 021) and returns their ids. Verbs use
 * `notify` (api/people), which chooses recipient and channel.
 */
export async function writeMessages(ctx: Ctx, messages: readonly Message[]): Promise<string[]> {
  if (messages.length === 0) return [];
  const at = ctx.now();
  const logo = markPath('96');
  const rows = messages.map(
    ({ channel, recipient, userId, sealed, held, unsubscribe, ...words }) => {
      const { subject, text, html } =
        channel === 'email'
          ? compose(sealLink(ctx, recipient, words), logo && ctx.services.env.publicUrl + logo)
          : { ...(channel === 'push' ? composeForPush(words) : composeForChat(words)), html: '' };
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
        unsubscribe: channel === 'email' ? (unsubscribe ?? null) : null,
        ...(held ? { state: 'held' as const } : {}),
        nextAttemptAt: at,
        createdAt: at,
      };
    },
  );
  const written = await ctx.db
    .insert(schema.outbox)
    .values(rows)
    .returning({ id: schema.outbox.id });
  return written.map(({ id }) => id);
}

/** Secret parameters come first in a link's query. */
const token = /(?<=\?(?:token|confirm)=)[^&#\s]+/;
const sealedToken = /(?<=\?(?:token|confirm)=)sealed\.([\w-]+)/g;

/** Backups contain the outbox, so its links must not open accounts (decision 006). */
const sealLink = ({ services }: Ctx, recipient: string, { link, ...words }: Words): Words => ({
  ...words,
  ...(link && {
    link: link.replace(
      token,
      (found) => `sealed.${seal(services.secret, 'marche54 mailed link', recipient, found)}`,
    ),
  }),
});

/**
 * Unseals a message's links. After a change of secret they stay sealed, and the person requests
 * another.
 */
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

/** `forChat`: texts with a variant for chats (`line2Chat`) use it, as there is no mail to answer. */
function wordsOf({ name, language, kind, params = {}, link }: Words, forChat = false) {
  const sentence = translator(language, 'mail');
  const say = (key: string) => sentence(key as Key<'mail'>, { ...params, name });
  const group = dictionaries[language].mail[kind] as Record<string, string>;
  const variant = (key: string) => (forChat && group[`${key}Chat`] ? `${key}Chat` : key);
  // Skips lines about a missing parameter (a fee where none is tracked).
  const known = (line: string) =>
    [...line.matchAll(/\{\{(\w+)\}\}/g)].every(
      ([, param]) => param === 'name' || params[param as string] !== undefined,
    );
  const lines = Object.keys(group)
    .filter((key) => /^line\d+$/.test(key) && known(group[key] as string))
    .sort()
    .map((key) => say(`${kind}.${variant(key)}`));
  return {
    say,
    subject: say(`${kind}.subject`),
    lines,
    action: link && group.action ? say(`${kind}.${variant('action')}`) : undefined,
  };
}

/** A chat text: the subject, then the lines, without greeting, signature or footer. */
export function composeForChat(words: Words): { subject: string; text: string } {
  const { subject, lines, action } = wordsOf(words, true);
  const { link } = words;
  return {
    subject,
    text: [subject, ...lines, ...(link ? [action ? `${action}\n${link}` : link] : [])].join('\n\n'),
  };
}

const paragraph = (text: string): string =>
  `<p dir="auto">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

/** A browser's notification: the subject, and a text that is shown with it. */
function composeForPush(words: Words): { subject: string; text: string } {
  const { say, subject } = wordsOf(words);
  return { subject, text: say(`${words.kind}.push`) };
}

/** @param logo address of the operator's mark */
export function compose(
  words: Words,
  logo?: string,
): { subject: string; text: string; html: string } {
  const { say, subject, lines, action } = wordsOf(words);
  const { name, language, link, kind, picture } = words;
  const greeting = say(name ? 'common.greeting' : 'common.greetingNoName');
  const signature = say('common.signature');
  const hint = say('common.linkHint');
  // No account exists yet.
  const footer = say(
    kind === 'verifyEmail' || kind === 'verifyMember' ? 'common.footerSignUp' : 'common.footer',
  );
  const text = [
    greeting,
    ...lines,
    ...(link ? [action ? `${action}\n${link}` : link] : []),
    `${signature}\n${footer}`,
  ].join('\n\n');
  const head = logo ? `<p><img src="${escapeHtml(logo)}" alt="" width="48" height="48"></p>` : '';
  const { hot, onHot } = palette();
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:${hot};color:${onHot};text-decoration:none;border-radius:6px">${escapeHtml(action ?? link)}</a></p><p style="color:#555;font-size:13px;word-break:break-all">${escapeHtml(hint)}<br>${escapeHtml(link)}</p>`
    : '';
  const photo = picture
    ? `<p><img src="${escapeHtml(picture)}" alt="" width="240" style="max-width:100%;border-radius:6px"></p>`
    : '';
  const html = `<!doctype html><html lang="${language}"><body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1d1f3a;max-width:560px;margin:0 auto;padding:24px;overflow-wrap:anywhere;word-break:break-word">${head}${[greeting, ...lines].map(paragraph).join('')}${photo}${button}<p>${escapeHtml(signature)}</p><p style="color:#555;font-size:13px">${escapeHtml(footer)}</p></body></html>`;
  return { subject, text, html };
}

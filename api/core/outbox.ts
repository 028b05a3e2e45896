import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Key, Params } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from './context.ts';
import { escapeHtml } from './html.ts';

type MailGroups = (typeof dictionaries)['en']['mail'];
/** Every mail that the product sends: a group of `mail.json` with a subject. */
export type MailKind = { [K in keyof MailGroups]: MailGroups[K] extends { subject: string } ? K : never }[keyof MailGroups];

type Letter = { to: string; name: string; language: Language; kind: MailKind; params?: Params; link?: string; sellerId?: string | null };

/**
 * Writes a mail to the outbox, in the transaction of what it tells (docs/decisions/delivery.md). Delivery follows when that transaction has
 * committed; a rollback takes the mail with it.
 */
export async function writeMail(ctx: Ctx, letter: Letter): Promise<void> {
  const { subject, text, html } = compose(letter);
  await ctx.db.insert(schema.outbox).values({
    channel: 'email',
    recipient: letter.to,
    language: letter.language,
    kind: letter.kind,
    subject,
    bodyText: text,
    bodyHtml: html,
    sellerId: letter.sellerId ?? null,
    nextAttemptAt: ctx.now(),
    createdAt: ctx.now(),
  });
}

/** Composes subject, plain text and HTML of a mail from `mail.json`. */
export function compose({ name, language, kind, params = {}, link }: Omit<Letter, 'to'>): { subject: string; text: string; html: string } {
  const sentence = translator(language, 'mail');
  const say = (key: string) => sentence(key as Key<'mail'>, { ...params, name });
  const group = dictionaries[language].mail[kind] as Record<string, string>;
  // A line about something that this mail does not have (a fee where none is tracked) is left out.
  const known = (line: string) => [...line.matchAll(/\{\{(\w+)\}\}/g)].every(([, param]) => param === 'name' || params[param as string] !== undefined);
  const lines = Object.keys(group)
    .filter((key) => /^line\d+$/.test(key) && known(group[key] as string))
    .sort()
    .map((key) => say(`${kind}.${key}`));
  const greeting = say(name ? 'common.greeting' : 'common.greetingNoName');
  const signature = say('common.signature');
  const hint = say('common.linkHint');
  const footer = say('common.footer');
  const action = link && group.action ? say(`${kind}.action`) : undefined;
  const text = [greeting, ...lines, ...(link ? [action ? `${action}\n${link}` : link] : []), `${signature}\n${footer}`].join('\n\n');
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:#b8371f;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(action ?? link)}</a></p><p style="color:#555;font-size:13px;word-break:break-all">${escapeHtml(hint)}<br>${escapeHtml(link)}</p>`
    : '';
  const html = `<!doctype html><html lang="${language}"><body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1d1f3a;max-width:560px;margin:0 auto;padding:24px">${[greeting, ...lines].map((line) => `<p>${escapeHtml(line)}</p>`).join('')}${button}<p>${escapeHtml(signature)}</p><p style="color:#555;font-size:13px">${escapeHtml(footer)}</p></body></html>`;
  return { subject: say(`${kind}.subject`), text, html };
}

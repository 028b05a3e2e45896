import { type ChatTarget, chatLinks } from '../../../../api/chats/deepLinks.ts';
import { translator } from '../../../../locales/index.ts';
import { linker } from '../../lib/paths.ts';

export type { ChatTarget };

const names = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;
export type ChatWay = { network: keyof typeof names | 'demo'; name: string; href: string };

/** Chat links of the configured networks, with an optional target. */
export const chatWays = (locals: App.Locals, target?: ChatTarget): ChatWay[] =>
  Object.entries(chatLinks(locals.chatNames, locals.language, target)).map(([key, href]) => {
    const network = key as keyof typeof names;
    return { network, name: names[network], href };
  });

/** The same, plus the demo's own chat. */
export function ownWays(locals: App.Locals): ChatWay[] {
  const href = demoChat(locals);
  if (!href) return chatWays(locals);
  return [
    ...chatWays(locals),
    { network: 'demo', name: translator(locals.language, 'common')('footer.demoChat'), href },
  ];
}

/** Chat page of the demo; undefined otherwise. */
export const demoChat = (locals: App.Locals): string | undefined =>
  locals.demo ? linker(locals)('/demo/chat') : undefined;

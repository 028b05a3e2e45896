import { type ChatTarget, chatLinks } from '../../../../api/chats/deepLinks.ts';
import { translator } from '../../../../locales/index.ts';
import { linker } from '../../lib/paths.ts';

export type { ChatTarget };

const names = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;
export type ChatWay = { network: keyof typeof names | 'demo'; name: string; href: string };

/** The networks on which the market can be talked to, with what is opened there; none where none is configured. */
export const chatWays = (locals: App.Locals, target?: ChatTarget): ChatWay[] =>
  Object.entries(chatLinks(locals.chatNames, locals.language, target)).map(([key, href]) => {
    const network = key as keyof typeof names;
    return { network, name: names[network], href };
  });

/** The same, with the demo's own chat where there is one. */
export function ownWays(locals: App.Locals): ChatWay[] {
  const href = demoChat(locals);
  if (!href) return chatWays(locals);
  return [
    ...chatWays(locals),
    { network: 'demo', name: translator(locals.language, 'common')('footer.demoChat'), href },
  ];
}

/** The page that shows the chat in a browser, in the demo alone. */
export const demoChat = (locals: App.Locals): string | undefined =>
  locals.demo ? linker(locals)('/demo/chat') : undefined;

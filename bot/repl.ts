import { randomUUID } from 'node:crypto';
import { beginChat, endChat } from '../api/chats/chat.ts';
import { jobContext } from '../api/core/jobContext.ts';
import { attempt, stop, undo } from '../api/lifecycle.ts';
import { openMarketData } from '../api/marketData.ts';
import type { Env } from '../api/ops/env.ts';
import type { Reply } from './answers/types.ts';
import { answerMessage } from './turn.ts';

/** `bun run bot:repl`: the bot in a terminal, on the demo's database. Ends after piped lines. */
async function talk(env: Env): Promise<void> {
  const ctx = jobContext(await openMarketData(env), 'bot:repl');
  const keyHash = await beginChat(ctx, 'telegram', `terminal ${randomUUID()}`);
  undo.push(() => endChat(ctx, keyHash));
  const terminal = process.stdin.isTTY;
  const prompt = () => terminal && process.stdout.write('> ');
  if (terminal) write('Write /start, or what you are looking for. Ctrl-D ends.');
  prompt();
  for await (const line of console) {
    if (line.trim() !== '') {
      if (!terminal) write(`> ${line}`);
      await answerMessage(ctx, keyHash, { text: line }, async (_, replies) => {
        for (const reply of replies) write(`${shown(reply, env.publicUrl)}\n`);
        return true;
      });
    }
    prompt();
  }
  await stop(0);
}

const write = (text: string) => process.stdout.write(`${text}\n`);

function shown({ text, picture, buttons = [] }: Reply, publicUrl: string): string {
  const rows = buttons.map((row) =>
    row
      .map(
        (one) =>
          `[${one.label}${'say' in one ? `: ${one.say}` : 'url' in one ? `: ${one.url}` : ''}]`,
      )
      .join(' '),
  );
  return [...(picture ? [`(${publicUrl}/media/${picture})`] : []), text, ...rows].join('\n');
}

await attempt(talk);

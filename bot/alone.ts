import { attempt, openBeside, terminal, undo } from '../api/server.ts';
import { startJobs } from '../jobs/run.ts';
import { schedule } from '../jobs/schedule.ts';
import { openBot } from './open.ts';

/** What the timetable does for the bot; a lock keeps it from doing it twice where the market's own process does it too. */
const ownJobs = schedule.filter(({ name }) => name === 'answer-chats' || name === 'deliver-outbox');

/**
 * `bun run bot`: the bot in a process of its own, beside a market that runs with BOT=0 on the same database and the same settings. Its webhooks stay the
 * market's doors: what they store is answered here.
 */
await attempt(async (env) => {
  if (!env.DATABASE_URL)
    throw new Error('The bot runs alone beside a market on a Postgres server: give both DATABASE_URL. On the embedded database, bun start runs it.');
  if (env.networks.length === 0) throw new Error('No chat network is configured: docs/chat.md says how.');
  const host = await openBeside(env, env.DATABASE_URL);
  const bot = openBot(host);
  const jobs = startJobs(host, ownJobs);
  undo.push(() => jobs.stop());
  undo.push(() => bot.stop());
  await bot.start();
  terminal.log(`ready bot ${env.networks.join(', ')}`);
});

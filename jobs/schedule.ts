import { deleteLeavers } from '../api/account/erase.ts';
import { judgeAlarms } from '../api/alarms/judge.ts';
import { backUpEveryNight } from '../api/backup/nightly.ts';
import { announceChats } from '../api/chats/inbox.ts';
import { checkEveryNight } from '../api/check/check.ts';
import { forgetViews } from '../api/connect/view.ts';
import type { Ctx } from '../api/core/context.ts';
import { announceDue } from '../api/core/delivery.ts';
import { forgetIdempotencyKeys } from '../api/core/idempotency.ts';
import { forgetDrafts } from '../api/drafts/draft.ts';
import { rollUpEngagement } from '../api/engagement/rollup.ts';
import { tellEndsSoon } from '../api/listings/endsSoon.ts';
import { askAboutPayments } from '../api/payments/ask.ts';
import { tellOvertaken } from '../api/queue/tell.ts';
import { drawShareCards } from '../api/sharecards/cards.ts';
import { processQueue } from '../api/slots/fill.ts';
import { tellAdmins } from '../api/upkeep/adminNews.ts';
import { checkHealth } from '../api/upkeep/check.ts';
import { cleanUp } from '../api/upkeep/cleanup.ts';
import { forgetOldRows } from '../api/upkeep/forget.ts';
import { cleanAbandonedUploads } from '../api/uploads/receive.ts';
import { refinePhotos } from '../api/uploads/refine.ts';

export type Job = {
  name: string;
  pattern: string;
  verb: (ctx: Ctx) => Promise<unknown>;
  atStart?: boolean;
};

/** Everything that happens by itself, in one table. Patterns are croner's, in Africa/Douala time. Each verb may run twice and harm nothing. */
export const schedule: readonly Job[] = [
  // product §1, §9: approved products are assigned to free slots every 5 minutes.
  { name: 'process-queue', pattern: '*/5 * * * *', verb: processQueue, atStart: true },
  { name: 'tell-ends-soon', pattern: '2-59/5 * * * *', verb: tellEndsSoon },
  // In batches: the verb leaves a quarter of an hour between two messages.
  { name: 'tell-admins', pattern: '30 * * * * *', verb: tellAdmins },
  // A new message wakes the delivery by itself (LISTEN); this finds the retries, and what a crash left behind.
  { name: 'deliver-outbox', pattern: '*/30 * * * * *', verb: announceDue },
  // The same for what people wrote to the bot.
  { name: 'answer-chats', pattern: '*/30 * * * * *', verb: announceChats },
  // What is due sooner is asked about when its buyer looks.
  { name: 'ask-about-payments', pattern: '*/10 * * * * *', verb: askAboutPayments, atStart: true },
  { name: 'roll-up-engagement', pattern: '*/20 * * * * *', verb: rollUpEngagement },
  // Smaller files for what people see first; a photo is on its page before they exist.
  { name: 'refine-photos', pattern: '*/30 * * * * *', verb: refinePhotos, atStart: true },
  // A link that is pasted somewhere shows the product as it is; a card that is not there yet is drawn when it is asked for.
  { name: 'draw-share-cards', pattern: '15 * * * * *', verb: drawShareCards, atStart: true },
  // product §9: checked every 5 minutes, and kept.
  { name: 'check-health', pattern: '*/5 * * * *', verb: checkHealth, atStart: true },
  // Backups, rules, disks, health, deliveries: admins are notified when trouble begins and when it is over.
  { name: 'judge-alarms', pattern: '45 */2 * * * *', verb: judgeAlarms, atStart: true },
  // Where there is a place for it (BACKUP_DIR); ahead of everything that deletes.
  { name: 'back-up', pattern: '51 2 * * *', verb: backUpEveryNight },
  // product §4, §7: photos 30 days after a listing's end, records after a year, removed products after their 30 days.
  { name: 'cleanup-expired-products', pattern: '41 3 * * *', verb: cleanUp },
  // Accounts that their owners asked to delete seven days ago, a few minutes after they are due.
  { name: 'delete-accounts', pattern: '4,14,24,34,44,54 * * * *', verb: deleteLeavers },
  // Every rule of the market, the chains of the ledger among them: a proof that nobody looks at proves nothing. After the cleanup.
  { name: 'check-market', pattern: '21 4 * * *', verb: checkEveryNight },
  { name: 'forget-drafts', pattern: '11 * * * *', verb: forgetDrafts },
  // One message a seller, in the evening.
  { name: 'tell-overtaken', pattern: '5 18 * * *', verb: tellOvertaken },
  { name: 'clean-abandoned-uploads', pattern: '17 * * * *', verb: cleanAbandonedUploads },
  { name: 'forget-idempotency-keys', pattern: '23 3 * * *', verb: forgetIdempotencyKeys },
  { name: 'forget-views-of-posts', pattern: '26 3 * * *', verb: forgetViews },
  { name: 'forget-old-rows', pattern: '29 3 * * *', verb: forgetOldRows },
];

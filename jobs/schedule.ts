import { deleteLeavers } from '../api/account/leaving/erase.ts';
import { tellAlerts } from '../api/alerts/tell.ts';
import { backUpEveryNight } from '../api/backup/nightly.ts';
import { tendChats } from '../api/chats/closed/tendChats.ts';
import { announceChats } from '../api/chats/inbox.ts';
import { tellMornings } from '../api/chats/morning.ts';
import { checkEveryNight } from '../api/check/checkEveryNight.ts';
import { forgetViews } from '../api/connect/forgetViews.ts';
import type { Ctx } from '../api/core/context.ts';
import { forgetIdempotencyKeys } from '../api/core/idempotency.ts';
import { forgetDrafts } from '../api/drafts/forgetDrafts.ts';
import { rollUpEngagement } from '../api/engagement/rollup.ts';
import { tellFavourites } from '../api/favourites/tell.ts';
import { tellEndsSoon } from '../api/listings/endsSoon.ts';
import { announceDue } from '../api/outbox/delivery.ts';
import { askAboutPayments } from '../api/payments/askAboutPayments.ts';
import { tellOvertaken } from '../api/queue/tell.ts';
import { drawShareCards } from '../api/sharecards/cards.ts';
import { processQueue } from '../api/slots/fill.ts';
import { tellAdmins } from '../api/upkeep/adminNews.ts';
import type { JobName } from '../api/upkeep/backlog.ts';
import { checkHealth } from '../api/upkeep/check.ts';
import { cleanUp } from '../api/upkeep/cleanup.ts';
import { forgetOldRows } from '../api/upkeep/forget.ts';
import { judgeAlarms } from '../api/upkeep/judgeAlarms.ts';
import { cleanAbandonedUploads } from '../api/uploads/cleanAbandonedUploads.ts';
import { refinePhotos } from '../api/uploads/refine.ts';

export type Job = {
  name: string;
  pattern: string;
  verb: (ctx: Ctx) => Promise<unknown>;
  atStart?: boolean;
};

/** Patterns are croner's, in Africa/Douala time; each verb may safely run twice. */
export const schedule: readonly (Job & { name: JobName })[] = [
  // product §1, §9: every 5 minutes.
  { name: 'process-queue', pattern: '*/5 * * * *', verb: processQueue, atStart: true },
  { name: 'tell-ends-soon', pattern: '2-59/5 * * * *', verb: tellEndsSoon },
  // The verb itself keeps 15 minutes between two messages.
  { name: 'tell-admins', pattern: '30 * * * * *', verb: tellAdmins },
  // LISTEN wakes the delivery; this finds retries and remains of a crash.
  { name: 'deliver-outbox', pattern: '*/30 * * * * *', verb: announceDue },
  // The same for messages to the bot.
  { name: 'answer-chats', pattern: '*/30 * * * * *', verb: announceChats },
  // Payments due sooner are checked when the buyer looks.
  { name: 'ask-about-payments', pattern: '*/10 * * * * *', verb: askAboutPayments, atStart: true },
  { name: 'roll-up-engagement', pattern: '*/20 * * * * *', verb: rollUpEngagement },
  // Smaller files; photos are shown before these exist.
  { name: 'refine-photos', pattern: '*/30 * * * * *', verb: refinePhotos, atStart: true },
  // A missing card is drawn on request.
  { name: 'draw-share-cards', pattern: '15 * * * * *', verb: drawShareCards, atStart: true },
  // product §9: every 5 minutes.
  { name: 'check-health', pattern: '*/5 * * * *', verb: checkHealth, atStart: true },
  { name: 'judge-alarms', pattern: '45 */2 * * * *', verb: judgeAlarms, atStart: true },
  // Before every job that deletes.
  { name: 'back-up', pattern: '51 2 * * *', verb: backUpEveryNight },
  // product §4, §7.
  { name: 'cleanup-expired-products', pattern: '41 3 * * *', verb: cleanUp },
  // Seven days after the owner's request.
  { name: 'delete-accounts', pattern: '4,14,24,34,44,54 * * * *', verb: deleteLeavers },
  // After the cleanup.
  { name: 'check-market', pattern: '21 4 * * *', verb: checkEveryNight },
  { name: 'tend-chats', pattern: '37 * * * *', verb: tendChats, atStart: true },
  { name: 'forget-drafts', pattern: '11 * * * *', verb: forgetDrafts },
  { name: 'tell-mornings', pattern: '5 7 * * *', verb: tellMornings },
  { name: 'tell-alerts', pattern: '20 * * * * *', verb: tellAlerts },
  // Two of a person's three messages a day.
  { name: 'tell-favourites', pattern: '5 8,18 * * *', verb: tellFavourites },
  { name: 'tell-overtaken', pattern: '5 18 * * *', verb: tellOvertaken },
  { name: 'clean-abandoned-uploads', pattern: '17 * * * *', verb: cleanAbandonedUploads },
  { name: 'forget-idempotency-keys', pattern: '23 3 * * *', verb: forgetIdempotencyKeys },
  { name: 'forget-views-of-posts', pattern: '26 3 * * *', verb: forgetViews },
  { name: 'forget-old-rows', pattern: '29 3 * * *', verb: forgetOldRows },
];

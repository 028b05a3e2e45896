import { asc, desc, eq, sql } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { mailbox } from '../../people/mailbox.ts';
import { notifications } from '../../people/notifications.ts';
import { type Owner, type Section, section } from './section.ts';
import { selling } from './selling.ts';

const s = schema;
const visitorOf = ({ userId }: Owner) => `account:${userId}`;
/** Purchases of credits and of fees, also of products that were deleted since. */
const boughtBy = (userId: string) => sql`(
  ${s.purchases.member} in (select number from credit_accounts where user_id = ${userId})
  or ${s.purchases.listingId} in (select l.id from listings l join products p on p.id = l.product_id
    join sellers s on s.id = p.seller_id where s.user_id = ${userId}
    union all select listing_id from kept_fees where person = ${userId}))`;
/** Mail that lets a person in: its text, which has the link, is not exported. */
const withLinks = Object.entries(notifications).flatMap(([kind, { reach }]) =>
  reach === 'mailbox' ? [kind] : [],
);

/**
 * All data stored about a person; a module that stores more adds a section. No password, no token,
 * and no data of other people.
 */
export const sections: readonly Section[] = [
  section(
    'account',
    [
      ...['id', 'name', 'email', 'image', 'language', 'role', 'createdAt', 'webUsedAt'],
      ...['leavingAt', 'agreedTo', 'agreedAt'],
    ],
    ({ db }, { userId }) =>
      db
        .select({
          ...{
            id: s.user.id,
            name: s.user.name,
            email: mailbox,
            image: s.user.image,
            language: s.user.language,
            webUsedAt: s.user.webUsedAt,
            role: s.user.role,
          },
          ...{ createdAt: s.user.createdAt, leavingAt: s.user.leavingAt },
          ...{ agreedTo: s.user.agreedTo, agreedAt: s.user.agreedAt },
        })
        .from(s.user)
        .where(eq(s.user.id, userId)),
  ),
  section(
    'address-changes',
    ['oldEmail', 'newEmail', 'askedAt', 'confirmedAt', 'heldUntil', 'takenBackAt'],
    ({ db }, { userId }) => {
      const { oldEmail, newEmail, askedAt, confirmedAt, heldUntil, takenBackAt } = s.emailChanges;
      // A change that was taken back was another person's.
      const own = sql<string | null>`case when ${takenBackAt} is null then ${newEmail} end`;
      return db
        .select({ oldEmail, newEmail: own, askedAt, confirmedAt, heldUntil, takenBackAt })
        .from(s.emailChanges)
        .where(eq(s.emailChanges.userId, userId))
        .orderBy(desc(askedAt));
    },
  ),
  section('sign-ins', ['provider', 'accountId', 'createdAt'], ({ db }, { userId }) =>
    db
      .select({
        provider: s.account.providerId,
        accountId: s.account.accountId,
        createdAt: s.account.createdAt,
      })
      .from(s.account)
      .where(eq(s.account.userId, userId)),
  ),
  section(
    'sessions',
    ['createdAt', 'updatedAt', 'expiresAt', 'ipAddress', 'userAgent'],
    ({ db }, { userId }) => {
      const { createdAt, updatedAt, expiresAt, ipAddress, userAgent } = s.session;
      return db
        .select({ createdAt, updatedAt, expiresAt, ipAddress, userAgent })
        .from(s.session)
        .where(eq(s.session.userId, userId))
        .orderBy(desc(createdAt));
    },
  ),
  section('browsers', ['service', 'madeAt'], ({ db }, { userId }) => {
    const { service, madeAt, sessionId } = s.pushSubscriptions;
    return db
      .select({ service, madeAt })
      .from(s.pushSubscriptions)
      .innerJoin(s.session, eq(s.session.id, sessionId))
      .where(eq(s.session.userId, userId))
      .orderBy(desc(madeAt));
  }),
  section('letters-switched-off', ['kind', 'since'], ({ db }, { userId }) =>
    db
      .select({ kind: s.notificationsOff.kind, since: s.notificationsOff.since })
      .from(s.notificationsOff)
      .where(eq(s.notificationsOff.userId, userId)),
  ),
  section('alerts', ['query', 'sellerId', 'pace', 'pausedAt', 'madeAt'], ({ db }, { userId }) => {
    const { query, sellerId, pace, pausedAt, madeAt } = s.alerts;
    return db
      .select({ query, sellerId, pace, pausedAt, madeAt })
      .from(s.alerts)
      .where(eq(s.alerts.userId, userId));
  }),
  section('favourites', ['productId', 'keptAt'], ({ db }, { userId }) =>
    db
      .select({ productId: s.favourites.productId, keptAt: s.favourites.keptAt })
      .from(s.favourites)
      .where(eq(s.favourites.userId, userId))
      .orderBy(s.favourites.keptAt),
  ),
  section(
    'chats',
    ['transport', 'linkedAt', 'language', 'notices', 'state', 'closedAt', 'wroteAt', 'createdAt'],
    ({ db }, { userId }) => {
      const { transport, linkedAt, language, notices, state, closedAt, wroteAt, createdAt } =
        s.chats;
      return db
        .select({ transport, linkedAt, language, notices, state, closedAt, wroteAt, createdAt })
        .from(s.chats)
        .where(eq(s.chats.userId, userId));
    },
  ),
  // Text is deleted once answered; the row is kept for eight days.
  section('messages-to-the-bot', ['transport', 'receivedAt', 'state'], ({ db }, { userId }) =>
    db
      .select({
        transport: s.chatUpdates.transport,
        receivedAt: s.chatUpdates.receivedAt,
        state: s.chatUpdates.state,
      })
      .from(s.chatUpdates)
      .innerJoin(s.chats, eq(s.chats.keyHash, s.chatUpdates.keyHash))
      .where(eq(s.chats.userId, userId))
      .orderBy(desc(s.chatUpdates.turn)),
  ),
  section('chat-codes', ['createdAt', 'expiresAt', 'usedAt'], ({ db }, { userId }) =>
    db
      .select({
        createdAt: s.chatLinkCodes.createdAt,
        expiresAt: s.chatLinkCodes.expiresAt,
        usedAt: s.chatLinkCodes.usedAt,
      })
      .from(s.chatLinkCodes)
      .where(eq(s.chatLinkCodes.userId, userId)),
  ),
  section('draft', ['answers', 'photos', 'updatedAt'], ({ db }, { userId }) => {
    const { answers, photos, updatedAt } = s.productDrafts;
    return db
      .select({ answers, photos, updatedAt })
      .from(s.productDrafts)
      .where(eq(s.productDrafts.userId, userId));
  }),
  section(
    'letters',
    ['createdAt', 'channel', 'kind', 'subject', 'text', 'state', 'sentAt'],
    async ({ db }, { userId }) => {
      const { createdAt, channel, kind, subject, bodyText, state, sentAt } = s.outbox;
      const rows = await db
        .select({ createdAt, channel, kind, subject, text: bodyText, state, sentAt })
        .from(s.outbox)
        .where(eq(s.outbox.userId, userId))
        .orderBy(desc(createdAt));
      return rows.map((row) => (withLinks.includes(row.kind) ? { ...row, text: null } : row));
    },
  ),
  ...selling,
  section('contacts-asked-for', ['productId', 'requestedAt'], ({ db }, owner) =>
    db
      .select({
        productId: s.contactRequests.productId,
        requestedAt: s.contactRequests.requestedAt,
      })
      .from(s.contactRequests)
      .where(eq(s.contactRequests.visitor, visitorOf(owner))),
  ),
  section('reports', ['productId', 'sellerId', 'reason', 'note', 'createdAt'], ({ db }, owner) =>
    db
      .select({
        productId: s.reports.productId,
        sellerId: s.reports.sellerId,
        reason: s.reports.reason,
        note: s.reports.note,
        createdAt: s.reports.createdAt,
      })
      .from(s.reports)
      .where(eq(s.reports.visitor, visitorOf(owner))),
  ),
  section('visits', ['type', 'productId', 'slotId', 'occurredAt'], ({ db }, owner) =>
    db
      .select({
        type: s.engagementEvents.type,
        productId: s.engagementEvents.productId,
        slotId: s.engagementEvents.slotId,
        occurredAt: s.engagementEvents.occurredAt,
      })
      .from(s.engagementEvents)
      .where(eq(s.engagementEvents.visitor, visitorOf(owner))),
  ),
  section(
    'acts',
    ['at', 'via', 'action', 'subjectKind', 'subjectId'],
    async ({ db }, { userId }) => {
      const { id, at, via, action, subjectKind, subjectId } = s.auditLog;
      const rows = await db
        .select({ at, via, action, subjectKind, subjectId })
        .from(s.auditLog)
        .where(eq(s.auditLog.actorId, userId))
        .orderBy(asc(id));
      // An address that an admin unbarred is another person's.
      return rows.map((row) => (row.subjectId?.includes('@') ? { ...row, subjectId: null } : row));
    },
  ),
  section(
    'credits',
    [
      'member',
      'serial',
      'kind',
      'amount',
      'balance',
      'referenceType',
      'referenceId',
      'reason',
      'at',
      'hash',
    ],
    ({ db }, { userId }) => {
      const {
        member,
        serial,
        kind,
        amount,
        balance,
        referenceType,
        referenceId,
        reason,
        at,
        hash,
      } = s.creditEntries;
      return db
        .select({
          member,
          serial,
          kind,
          amount,
          balance,
          referenceType,
          referenceId,
          reason,
          at,
          hash,
        })
        .from(s.creditEntries)
        .innerJoin(s.creditAccounts, eq(s.creditAccounts.number, member))
        .where(eq(s.creditAccounts.userId, userId))
        .orderBy(asc(serial));
    },
  ),
  section(
    'purchases',
    [
      'id',
      'amountUsd',
      'amountXaf',
      'creditsAmount',
      'purchaseMethod',
      'status',
      'reference',
      'paymentReference',
      'closedReason',
      'createdAt',
      'listingId',
    ],
    ({ db }, { userId }) => {
      const { id, amountUsd, amountXaf, creditsAmount, purchaseMethod, status } = s.purchases;
      const { reference, paymentReference, closedReason, createdAt, listingId } = s.purchases;
      return db
        .select({
          ...{ id, amountUsd, amountXaf, creditsAmount, purchaseMethod, status },
          ...{ reference, paymentReference, closedReason, createdAt, listingId },
        })
        .from(s.purchases)
        .where(boughtBy(userId))
        .orderBy(desc(createdAt));
    },
  ),
  section(
    'refunds',
    ['purchase', 'amount', 'currency', 'creditsTaken', 'reference', 'reason', 'status', 'at'],
    ({ db }, { userId }) => {
      const { purchases: p, refunds: r } = s;
      const { amount, currency, creditsTaken, reference, reason, status, at } = r;
      return db
        .select({
          ...{ purchase: p.reference, amount, currency, creditsTaken, reference, reason, status },
          at,
        })
        .from(r)
        .innerJoin(p, eq(p.id, r.purchaseId))
        .where(boughtBy(userId))
        .orderBy(desc(at));
    },
  ),
  section('receipts', ['series', 'number', 'purchase', 'issuer', 'at'], ({ db }, { userId }) => {
    const { purchases: p, receipts: r } = s;
    const { series, number, issuer, at } = r;
    return db
      .select({ series, number, purchase: p.reference, issuer, at })
      .from(r)
      .innerJoin(p, eq(p.id, r.purchaseId))
      .where(boughtBy(userId))
      .orderBy(desc(at), desc(number));
  }),
  // Fees of products that were deleted since.
  section(
    'kept-fees',
    ['listingId', 'openedAt', 'fee', 'feeState', 'feeReference', 'feeMarkedAt'],
    ({ db }, { userId }) =>
      db
        .select()
        .from(s.keptFees)
        .where(eq(s.keptFees.person, userId))
        .orderBy(asc(s.keptFees.openedAt)),
  ),
  section(
    'posts',
    [
      'reference',
      'title',
      'description',
      'category',
      'location',
      'city',
      'region',
      'regionCode',
      'budgetMin',
      'budgetMax',
      'contactWhatsapp',
      'tags',
      'status',
      'hiddenReason',
      'createdAt',
    ],
    ({ db }, { userId }) =>
      db
        .select()
        .from(s.connectPosts)
        .where(eq(s.connectPosts.userId, userId))
        .orderBy(desc(s.connectPosts.createdAt)),
  ),
  section('post-updates', ['post', 'type', 'message', 'timestamp'], ({ db }, { userId }) => {
    const { type, message, timestamp, postId } = s.connectUpdates;
    return db
      .select({ post: s.connectPosts.reference, type, message, timestamp })
      .from(s.connectUpdates)
      .innerJoin(s.connectPosts, eq(s.connectPosts.id, postId))
      .where(eq(s.connectPosts.userId, userId))
      .orderBy(desc(timestamp));
  }),
  section('responses', ['post', 'createdAt'], ({ db }, { userId }) =>
    db
      .select({ post: s.connectPosts.reference, createdAt: s.connectResponses.createdAt })
      .from(s.connectResponses)
      .innerJoin(s.connectPosts, eq(s.connectPosts.id, s.connectResponses.postId))
      .where(eq(s.connectResponses.userId, userId))
      .orderBy(desc(s.connectResponses.createdAt)),
  ),
  section('post-reports', ['post', 'reason', 'note', 'createdAt'], ({ db }, owner) =>
    db
      .select({
        post: s.connectPosts.reference,
        reason: s.connectReports.reason,
        note: s.connectReports.note,
        createdAt: s.connectReports.createdAt,
      })
      .from(s.connectReports)
      .innerJoin(s.connectPosts, eq(s.connectPosts.id, s.connectReports.postId))
      .where(eq(s.connectReports.visitor, visitorOf(owner)))
      .orderBy(desc(s.connectReports.createdAt)),
  ),
  section('downloads', ['askedAt', 'begunAt', 'endedAt'], ({ db }, { userId }) =>
    db
      .select({
        askedAt: s.dataExports.askedAt,
        begunAt: s.dataExports.begunAt,
        endedAt: s.dataExports.endedAt,
      })
      .from(s.dataExports)
      .where(eq(s.dataExports.userId, userId)),
  ),
];

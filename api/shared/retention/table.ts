import type { dataKinds, Period } from './periods.ts';

type DataKind = (typeof dataKinds)[number];

/**
 * Reasons to leave a column out of a person's download: `secret` lets somebody in, `sealed` is
 * opened by delivery alone, `technical` says nothing of the person, `derived` repeats another line,
 * `others` is or names another person, `unlinked` belongs to no account that could ask.
 */
type Withheld = 'secret' | 'sealed' | 'technical' | 'derived' | 'others' | 'unlinked';

/** At deletion of its person: `unnamed` keeps ids only, `age` waits for the period. */
type AtDeletion = 'row' | 'unnamed' | 'age' | 'barred';

/** Photos of an ended listing; a product that its seller or the team removed. */
export type Part = 'photos' | 'removed';

export type Line = {
  kind: DataKind;
  table: string;
  /** Undefined: as long as the account or the row it belongs to; `ever`: for good. */
  period?: Period | 'ever';
  /** Shorter periods of some rows, or of a part of each, ended by the same job. */
  parts?: Readonly<Partial<Record<Part, Period>>>;
  /** Job that ends the period. */
  job?: string;
  atDeletion: AtDeletion;
  /** Section of the download. */
  section?: string;
  /** Every personal column: a column of the download's section, or why it has none. */
  columns: Readonly<Record<string, Withheld | { as: string }>>;
};

const shown = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, { as: camel(name) }]));
const hidden = (why: Withheld, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, why]));
const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());

const money = { kind: 'payments', atDeletion: 'unnamed', period: 'ever' } as const;
const withAccount = { atDeletion: 'row', job: 'delete-accounts' } as const;
const forgets = 'forget-old-rows';
const unnamed = (table: string) => ({ kind: 'log', table, atDeletion: 'unnamed' }) as const;

/** All personal data (decision 078); a test fails for a text or a person without a line. */
export const retention: readonly Line[] = [
  {
    ...{ kind: 'account', table: 'user', section: 'account', ...withAccount },
    period: 'leavingAccounts',
    columns: shown('id', 'name', 'email', 'image', 'agreed_to'),
  },
  {
    ...{ kind: 'account', table: 'email_changes', section: 'address-changes', atDeletion: 'row' },
    ...{ period: 'leftMailAddresses', job: forgets },
    columns: {
      ...shown('old_email', 'new_email'),
      ...hidden('technical', 'user_id', 'session_id'),
      ...hidden('secret', 'link_hash', 'take_back_hash'),
    },
  },
  {
    ...{ kind: 'account', table: 'notifications_off', section: 'letters-switched-off' },
    ...withAccount,
    columns: { ...shown('kind'), ...hidden('technical', 'user_id') },
  },
  {
    ...{ kind: 'account', table: 'alerts', section: 'alerts', ...withAccount },
    columns: {
      ...shown('query'),
      ...hidden('technical', 'user_id', 'chat_id', 'seller_id', 'region_key'),
    },
  },
  {
    ...{ kind: 'account', table: 'favourites', section: 'favourites', ...withAccount },
    columns: hidden('technical', 'user_id'),
  },
  {
    ...{ kind: 'account', table: 'data_exports', section: 'downloads', ...withAccount },
    columns: hidden('technical', 'user_id'),
  },
  {
    ...{ kind: 'account', table: 'idempotency_keys', atDeletion: 'row' },
    ...{ period: 'repeatedRequests', job: 'forget-idempotency-keys' },
    columns: {
      ...hidden('technical', 'owner', 'key', 'fingerprint'),
      ...hidden('derived', 'answer'),
    },
  },
  {
    ...{ kind: 'signIn', table: 'account', section: 'sign-ins', ...withAccount },
    columns: {
      ...shown('account_id'),
      provider_id: { as: 'provider' },
      ...hidden('technical', 'id', 'user_id', 'scope'),
      ...hidden('secret', 'access_token', 'refresh_token', 'id_token', 'password'),
    },
  },
  {
    ...{ kind: 'signIn', table: 'session', section: 'sessions', atDeletion: 'row' },
    ...{ period: 'expiredLinks', job: forgets },
    columns: {
      ...shown('ip_address', 'user_agent'),
      ...hidden('technical', 'id', 'user_id'),
      ...hidden('secret', 'token'),
    },
  },
  {
    ...{ kind: 'signIn', table: 'push_subscriptions', section: 'browsers', ...withAccount },
    columns: {
      ...shown('service'),
      ...hidden('technical', 'session_id'),
      ...hidden('sealed', 'endpoint_hash', 'sealed'),
    },
  },
  {
    ...{ kind: 'signIn', table: 'verification', atDeletion: 'row' },
    ...{ period: 'expiredLinks', job: forgets },
    columns: { ...hidden('technical', 'id'), ...hidden('secret', 'identifier', 'value') },
  },
  {
    ...{ kind: 'signIn', table: 'pending_sign_ups', atDeletion: 'row', job: forgets },
    period: 'waitingSignUps',
    columns: {
      ...hidden('unlinked', 'email', 'name', 'whatsapp', 'location', 'next', 'agreed_to'),
      ...hidden('secret', 'password_hash'),
    },
  },
  {
    ...{ kind: 'signIn', table: 'sign_up_links', atDeletion: 'row' },
    ...{ period: 'expiredLinks', job: forgets },
    columns: { ...hidden('unlinked', 'email'), ...hidden('secret', 'token_hash') },
  },
  {
    ...{ kind: 'signIn', table: 'sign_in_links', atDeletion: 'row' },
    ...{ period: 'expiredLinks', job: forgets },
    columns: { ...hidden('technical', 'user_id', 'next'), ...hidden('secret', 'token_hash') },
  },
  {
    ...{ kind: 'signIn', table: 'second_factors', ...withAccount },
    columns: { ...hidden('technical', 'user_id'), ...hidden('secret', 'secret') },
  },
  {
    ...{ kind: 'signIn', table: 'backup_codes', ...withAccount },
    columns: { ...hidden('technical', 'user_id'), ...hidden('secret', 'code_hash') },
  },
  {
    ...{ kind: 'selling', table: 'sellers', section: 'profile', ...withAccount },
    columns: {
      ...shown('name', 'email', 'whatsapp', 'location', 'business_name'),
      ...shown('verified_whatsapp', 'suspended_reason'),
      ...hidden('technical', 'user_id'),
    },
  },
  {
    ...{ kind: 'selling', table: 'shop_slugs', section: 'shop-addresses', atDeletion: 'age' },
    ...{ period: 'oldShopAddresses', job: forgets },
    columns: { ...shown('slug'), ...hidden('technical', 'seller_id') },
  },
  {
    ...{ kind: 'selling', table: 'barred_emails', atDeletion: 'barred' },
    period: 'ever',
    columns: { ...hidden('unlinked', 'email'), ...hidden('others', 'barred_by') },
  },
  {
    ...{ kind: 'selling', table: 'number_takings', atDeletion: 'age' },
    ...{ period: 'numberTakings', job: forgets },
    columns: hidden('unlinked', 'number_key'),
  },
  {
    ...{ kind: 'selling', table: 'products', section: 'products', atDeletion: 'row' },
    ...{ period: 'endedProducts', job: 'cleanup-expired-products' },
    parts: { photos: 'endedPhotos', removed: 'removedProducts' },
    columns: {
      ...shown('slug', 'name', 'description', 'city', 'region', 'seller_location'),
      ...shown('business_name', 'seller_name', 'seller_whatsapp', 'rejected_reason'),
      ...hidden('technical', 'seller_id'),
      ...hidden('derived', 'images'),
      ...hidden('others', 'created_by'),
    },
  },
  {
    ...{ kind: 'selling', table: 'product_edits', section: 'changes-under-review' },
    ...{ atDeletion: 'row', job: 'cleanup-expired-products' },
    columns: shown('changes'),
  },
  {
    ...{ kind: 'selling', table: 'product_drafts', section: 'draft', atDeletion: 'row' },
    ...{ period: 'drafts', job: 'forget-drafts' },
    columns: { ...shown('answers', 'photos'), ...hidden('technical', 'user_id') },
  },
  {
    ...{ kind: 'selling', table: 'listings', section: 'listings', atDeletion: 'row' },
    ...{ period: 'endedProducts', job: 'cleanup-expired-products' },
    columns: {
      ...shown('fee_reference'),
      ...hidden('technical', 'removed_place'),
      ...hidden('others', 'ended_by', 'fee_marked_by'),
    },
  },
  {
    ...{ kind: 'selling', table: 'queue_items', atDeletion: 'row', job: 'process-queue' },
    columns: hidden('derived', 'item_data'),
  },
  {
    ...{ kind: 'selling', table: 'findable', atDeletion: 'row' },
    ...{ period: 'searchable', job: forgets },
    columns: hidden(
      'derived',
      ...['whatsapp', 'region', 'region_key', 'name_words', 'other_words', 'text_words'],
    ),
  },
  {
    ...{ kind: 'photos', table: 'uploads', atDeletion: 'age' },
    ...{ period: 'unusedPhotos', job: 'clean-abandoned-uploads' },
    columns: { ...hidden('technical', 'key', 'owner_id'), ...hidden('derived', 'image') },
  },
  {
    ...{ kind: 'connect', table: 'connect_posts', section: 'posts', ...withAccount },
    columns: {
      ...shown('reference', 'title', 'description', 'location', 'city', 'region'),
      ...shown('contact_whatsapp', 'tags', 'hidden_reason'),
      ...hidden('technical', 'user_id'),
      ...hidden('derived', 'words'),
      ...hidden('others', 'hidden_by'),
    },
  },
  {
    ...{ kind: 'connect', table: 'connect_updates', section: 'post-updates', ...withAccount },
    columns: shown('message'),
  },
  {
    ...{ kind: 'connect', table: 'connect_responses', section: 'responses' },
    atDeletion: 'unnamed',
    columns: hidden('technical', 'user_id'),
  },
  {
    ...{ kind: 'contact', table: 'contact_requests', section: 'contacts-asked-for' },
    ...{ atDeletion: 'row', period: 'contacts', job: forgets },
    columns: hidden('technical', 'visitor', 'address_hash'),
  },
  {
    ...{ kind: 'contact', table: 'contact_challenges', atDeletion: 'age' },
    ...{ period: 'questions', job: forgets },
    columns: hidden('technical', 'visitor', 'address_hash', 'question'),
  },
  {
    ...{ kind: 'visits', table: 'engagement_events', section: 'visits', atDeletion: 'unnamed' },
    ...{ period: 'visits', job: forgets },
    columns: hidden('technical', 'visitor'),
  },
  {
    ...{ kind: 'visits', table: 'connect_views', atDeletion: 'row' },
    ...{ period: 'postViews', job: 'forget-views-of-posts' },
    columns: hidden('technical', 'visitor'),
  },
  {
    ...{ kind: 'messages', table: 'outbox', section: 'letters', atDeletion: 'row' },
    ...{ period: 'mails', job: forgets },
    columns: {
      ...shown('kind', 'subject'),
      body_text: { as: 'text' },
      ...hidden('derived', 'body_html', 'recipient'),
      ...hidden('sealed', 'sealed'),
      ...hidden('technical', 'user_id', 'last_error', 'unsubscribe'),
    },
  },
  {
    ...{ kind: 'chat', table: 'chats', section: 'chats', atDeletion: 'unnamed' },
    ...{ period: 'strangersChats', job: forgets },
    columns: {
      ...shown('state'),
      ...hidden('sealed', 'sealed_address'),
      ...hidden('technical', 'user_id', 'key_hash'),
    },
  },
  {
    ...{ kind: 'chat', table: 'chat_updates', section: 'messages-to-the-bot', atDeletion: 'age' },
    ...{ period: 'messagesToBot', job: forgets },
    columns: { ...hidden('technical', 'update_id', 'key_hash'), ...hidden('sealed', 'sealed') },
  },
  {
    ...{ kind: 'chat', table: 'chat_undelivered', atDeletion: 'age' },
    ...{ period: 'messagesToBot', job: forgets },
    columns: hidden('technical', 'id_hash', 'reason'),
  },
  {
    ...{ kind: 'chat', table: 'chat_link_codes', section: 'chat-codes', atDeletion: 'row' },
    ...{ period: 'expiredLinks', job: forgets },
    columns: { ...hidden('technical', 'user_id'), ...hidden('secret', 'code_hash') },
  },
  {
    ...{ ...money, table: 'credit_accounts', section: 'credits' },
    columns: hidden('technical', 'user_id', 'head'),
  },
  {
    ...{ ...money, table: 'credit_entries', section: 'credits' },
    columns: {
      ...shown('member', 'reason', 'hash'),
      ...hidden('technical', 'previous'),
      ...hidden('others', 'actor_id'),
    },
  },
  {
    ...{ ...money, table: 'purchases', section: 'purchases' },
    columns: {
      ...shown('reference', 'payment_reference', 'closed_reason'),
      ...hidden('technical', 'member', 'adapter'),
      ...hidden('derived', 'payment_key'),
    },
  },
  {
    ...{ ...money, table: 'receipts', section: 'receipts' },
    columns: shown('issuer'),
  },
  {
    ...{ kind: 'payments', table: 'payers', atDeletion: 'age' },
    ...{ period: 'payersNumbers', job: forgets },
    columns: hidden('sealed', 'sealed'),
  },
  {
    ...{ ...money, table: 'refunds', section: 'refunds' },
    columns: {
      ...shown('reference', 'reason'),
      ...hidden('others', 'actor_id'),
      ...hidden('technical', 'failure'),
    },
  },
  {
    ...{ ...money, table: 'kept_fees', section: 'kept-fees' },
    columns: { ...shown('fee_reference'), ...hidden('technical', 'person') },
  },
  {
    ...{ kind: 'reports', table: 'reports', section: 'reports', atDeletion: 'unnamed' },
    columns: {
      ...shown('seller_id', 'note'),
      ...hidden('technical', 'visitor'),
      ...hidden('others', 'resolved_by', 'resolution'),
    },
  },
  {
    ...{ kind: 'reports', table: 'connect_reports', section: 'post-reports' },
    atDeletion: 'unnamed',
    columns: {
      ...shown('note'),
      ...hidden('technical', 'visitor'),
      ...hidden('others', 'resolved_by', 'resolution'),
    },
  },
  {
    ...{ kind: 'reports', table: 'data_requests', atDeletion: 'age' },
    ...{ period: 'dataRequests', job: forgets },
    columns: {
      ...hidden('unlinked', 'person', 'note', 'outcome'),
      ...hidden('others', 'recorded_by', 'closed_by'),
    },
  },
  {
    ...{ kind: 'log', table: 'audit_log', section: 'acts', atDeletion: 'unnamed' },
    period: 'ever',
    columns: {
      ...shown('action', 'subject_kind', 'subject_id'),
      ...hidden('technical', 'actor_kind', 'actor_id', 'actor_name', 'request_id'),
      ...hidden('others', 'subject_name', 'before', 'after'),
    },
  },
  {
    ...{ kind: 'log', table: 'queue_entries', atDeletion: 'unnamed' },
    period: 'ever',
    columns: hidden('technical', 'actor_code', 'previous', 'hash'),
  },
  {
    ...{ kind: 'log', table: 'cleanup_runs', atDeletion: 'unnamed' },
    ...{ period: 'cleanupRuns', job: forgets },
    columns: hidden('technical', 'started_by'),
  },
  { ...unnamed('settings'), columns: hidden('technical', 'key', 'value', 'updated_by') },
  { ...unnamed('legal_texts'), columns: hidden('technical', 'terms', 'privacy', 'published_by') },
  { ...unnamed('outages'), columns: hidden('technical', 'decided_by', 'shares') },
  {
    ...{ kind: 'limits', table: 'rate_limit', atDeletion: 'age' },
    ...{ period: 'limitCounters', job: forgets },
    columns: hidden('technical', 'id', 'key'),
  },
  {
    ...{ kind: 'limits', table: 'alarms', atDeletion: 'age' },
    ...{ period: 'alarms', job: 'judge-alarms' },
    columns: hidden('technical', 'subject', 'figures'),
  },
];

/** Tables whose texts are never about a person. */
export const impersonalTables =
  'chat_channels health_checks job_runs product_daily queue_logs secrets site_releases slot_daily'.split(
    ' ',
  );

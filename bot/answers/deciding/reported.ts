import { adminPosts, reportsOfPost } from '../../../api/connect/adminReads.ts';
import { openReports } from '../../../api/reports/reads.ts';
import { dayAndTime, nameIn } from '../../../api/shared/format.ts';
import { slotNumber } from '../../../api/shared/slots.ts';
import { translator } from '../../../locales/index.ts';
import { lines, messages, short } from '../../delivery/layout.ts';
import { button, common, healthButton } from '../say.ts';
import type { Answer, Args, Reply, Turn } from '../types.ts';
import { decisions, oneOf, placeIn } from './decided.ts';

type Listing = Awaited<ReturnType<typeof openReports>>['products'][number];
type Post = Awaited<ReturnType<typeof adminPosts>>['posts'][number];
type At = { n: number; total: number };

/** Shows reported items, most reported first: listings, then posts. */
export const reports = (turn: Turn, args: Args): Promise<Answer> => reportsAt(turn, placeIn(args));

export async function reportsAt(turn: Turn, wanted: number): Promise<Reply[]> {
  const { ctx, t } = turn;
  const listings = await openReports(ctx, { page: wanted, pageSize: 1 });
  const place = wanted - listings.total - 1;
  const page = await adminPosts(ctx, {
    show: 'reported',
    page: Math.floor(Math.max(0, place) / postsAPage) + 1,
  });
  const total = listings.total + page.total;
  if (total === 0)
    return [
      {
        text: t('admin.nothingReported'),
        buttons: [[button(turn, 'button.pending', 'pending'), ...healthButton(turn)]],
      },
    ];
  if (wanted > total) return reportsAt(turn, 1);
  const [listing] = listings.products;
  if (listing) return reportedListing(turn, listing, { n: wanted, total });
  return reportedPost(turn, page.posts[place % postsAPage] as Post, { n: wanted, total });
}
/** As on the web. */
const postsAPage = 20;

function reportedListing(turn: Turn, product: Listing, at: At): Reply[] {
  const { ctx, t } = turn;
  const { language } = ctx;
  const say = translator(language, 'admin');
  const shop = translator(language, 'shop');
  const {
    id,
    slug,
    slotId,
    removed,
    sellerName,
    sellerSuspended,
    status,
    latestAt,
    reasons,
    notes,
    count,
  } = product;
  const head = lines(
    t('admin.place', at),
    nameIn(product.name, language),
    sellerName && say('reports.seller', { name: sellerName }),
    sellerSuspended && say('reports.sellerSuspended'),
    removed
      ? say('reports.removedBadge')
      : slotId !== null
        ? say('reports.inSlot', { slot: slotNumber(slotId) })
        : status && common(language)(`status.${status}`),
    say('reports.latest', { date: dayAndTime(new Date(latestAt), language) }),
  );
  const counted = Object.entries(reasons).map(([reason, number]) =>
    t('admin.pair', {
      name: shop(`report.reasons.${reason as keyof typeof reasons}`),
      value: String(number),
    }),
  );
  const written = notes.map(
    ({ reason, note }) =>
      `• ${t('admin.pair', { name: shop(`report.reasons.${reason}`), value: short(note ?? '', 300) })}`,
  );
  const about = { what: 'listing' as const, id, seen: latestAt };
  const view = `${ctx.services.env.publicUrl}/${language}/shop/${slotId}/${slug}`;
  return oneOf(turn, about, at, {
    texts: messages([
      head,
      lines(say('reports.count', { count }), ...counted),
      written.length > 0 ? lines(...written) : say('reports.noNotes'),
    ]),
    buttons: [
      decisions(turn, about, removed ? ['dismiss'] : ['dismiss', 'remove']),
      ...(slotId !== null && !removed ? [[{ label: say('reports.view'), url: view }]] : []),
    ],
  });
}

async function reportedPost(turn: Turn, post: Post, at: At): Promise<Reply[]> {
  const { ctx, t } = turn;
  const { language } = ctx;
  const say = translator(language, 'admin');
  const { reports: all } = await reportsOfPost(ctx, post.reference);
  const open = all.filter(({ resolvedAt }) => resolvedAt === null);
  const head = lines(
    t('admin.place', at),
    t('admin.post', { title: post.title }),
    say('connect.owner', { name: post.owner }),
    say('connect.reference', { reference: post.reference }),
    say('connect.published', { date: dayAndTime(new Date(post.createdAt), language) }),
    post.hiddenAt !== null &&
      say('connect.hiddenOn', {
        date: dayAndTime(new Date(post.hiddenAt), language),
        reason: post.hiddenReason ?? '',
      }),
  );
  const written = open
    .slice(0, 10)
    .map(
      ({ reason, note }) =>
        `• ${t('admin.pair', { name: say(`connect.reasons.${reason}`), value: note ? short(note, 300) : say('connect.noNote') })}`,
    );
  const about = {
    what: 'post' as const,
    id: post.reference,
    seen: post.latestReportAt ?? post.createdAt,
  };
  return oneOf(turn, about, at, {
    texts: messages([
      head,
      post.description,
      lines(say('connect.reports', { count: post.openReports }), ...written),
    ]),
    buttons: [
      decisions(turn, about, post.hiddenAt === null ? ['dismiss', 'remove'] : ['dismiss']),
      [
        {
          label: say('connect.view'),
          url: `${ctx.services.env.publicUrl}/${language}/connect/${post.reference}`,
        },
      ],
    ],
  });
}

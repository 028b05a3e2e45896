import { useState } from 'react';
import { isolate } from '../../../../locales/isolate.ts';
import { dateTime } from '../../lib/format.ts';
import { path } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PostReports } from './PostReports.tsx';
import type { AdminPost, Asking, PostsScreen } from './posts.ts';

type Props = { screen: PostsScreen; post: AdminPost; onAsk: (about: Asking['about']) => void };

/** Card of a post with its reports and actions. */
export function PostCard({ screen, post, onAsk }: Props) {
  const { t, language, isAdmin } = screen;
  const { title, reference, status, hiddenAt, hiddenReason, openReports } = post;
  // Open reports are unfolded.
  const [unfolded, setUnfolded] = useState(openReports > 0);
  const to = (address: string) => path(address, { language, prefixed: true });
  const act = (about: Asking['about'], variant: 'quiet' | 'danger' | 'primary' = 'quiet') => (
    <Button
      variant={variant}
      aria-label={`${t(about)}: ${isolate(title)}`}
      onClick={() => onAsk(about)}
    >
      {t(about)}
    </Button>
  );
  return (
    <li className="reported panel posts__post">
      <div className="row row--apart reported__head">
        <h2 dir="auto">{title}</h2>
        {openReports > 0 && (
          <Badge tone="bad" icon="flag">
            {t('reports', { count: openReports })}
          </Badge>
        )}
      </div>
      <p className="row soft small posts__facts">
        {hiddenAt ? (
          <Badge tone="bad">{t('show.hidden')}</Badge>
        ) : (
          <Badge tone={status === 'active' ? 'good' : 'plain'}>{t(`state.${status}`)}</Badge>
        )}
        {post.refunded && <Badge tone="info">{t('refunded')}</Badge>}
        <span>{t(`categories.${post.category}`)}</span>
        <span>{t('owner', { name: isolate(post.owner) })}</span>
        <span>{post.ownerEmail ?? post.ownerName}</span>
        <span>{t('published', { date: dateTime(post.createdAt, language) })}</span>
        <span>{t('reference', { reference })}</span>
      </p>
      <p className="posts__text" dir="auto">
        {post.description}
      </p>
      {hiddenAt && (
        <p className="posts__why" dir="auto">
          {t('hiddenOn', { date: dateTime(hiddenAt, language), reason: hiddenReason ?? '' })}
        </p>
      )}
      {post.reports > 0 && (
        <details
          className="posts__reports"
          open={unfolded}
          onToggle={(event) => setUnfolded(event.currentTarget.open)}
        >
          <summary>{t('reported', { count: post.reports })}</summary>
          {unfolded && <PostReports screen={screen} post={post} />}
        </details>
      )}
      <div className="row reported__acts">
        {!hiddenAt && (
          <ButtonLink href={to(`/connect/${reference}`)} target="_blank" rel="noopener">
            {t('view')}
          </ButtonLink>
        )}
        {isAdmin && (
          <ButtonLink
            href={to(
              `/admin/credits?tab=members&search=${encodeURIComponent(post.ownerEmail ?? post.ownerName)}`,
            )}
          >
            {t('ledger')}
          </ButtonLink>
        )}
        {openReports > 0 && act('resolve')}
        {hiddenAt ? act('unhide', 'primary') : act('hide', 'danger')}
      </div>
    </li>
  );
}

import { isTeam } from '../../api/core/access.ts';
import { homepageProducts } from '../../api/slots/reads.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import { whyClosed } from './linking/closed.ts';
import { common, menu } from './say.ts';
import { isLiveSlot } from './stall.ts';
import type { Reply, Turn } from './types.ts';

export async function start(turn: Turn): Promise<Reply> {
  const { ctx, t } = turn;
  const live = (await homepageProducts(ctx)).filter((slot) => isLiveSlot(slot, ctx.now())).length;
  const hello =
    'name' in ctx.actor &&
    ctx.actor.kind !== 'job' &&
    t('start.signedIn', { name: ctx.actor.name });
  return {
    text: paragraphs(
      hello,
      common(ctx.language)('brand.oneSentence'),
      t('start.live', { count: live }),
      whyClosed(turn),
      t('start.hint'),
    ),
    buttons: menu(turn),
  };
}

export function help({ ctx, t }: Turn): Reply {
  const visitor = ctx.actor.kind === 'visitor';
  const seller = 'seller' in ctx.actor && ctx.actor.seller;
  const team = isTeam(ctx.actor.kind) && t('help.team');
  const admin = ctx.actor.kind === 'admin' && t('help.admin');
  return {
    text: paragraphs(
      t('help.title'),
      t('help.buyer'),
      seller && t('help.seller'),
      visitor ? t('help.stranger') : t('help.member'),
      lines(team, admin),
      t('help.end'),
    ),
  };
}

import { readPost } from '../../api/connect/reads.ts';
import { budgetText } from '../../api/connect/rules.ts';
import { postReference } from '../../api/connect/schema.ts';
import { viewPost } from '../../api/connect/view.ts';
import { placeWords } from '../../api/shared/places/placeWords.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs, short } from '../delivery/layout.ts';
import type { Answer, Args, Turn } from './types.ts';

/** Shows a Connect post. Answering it costs a credit, so that happens on the site. */
export async function post({ ctx, t }: Turn, { words: [reference = ''] }: Args): Promise<Answer> {
  const connect = translator(ctx.language, 'connect');
  const page = `${ctx.services.env.publicUrl}/${ctx.language}/connect`;
  if (!postReference.safeParse({ reference }).success)
    return { text: t('post.which'), buttons: [[{ label: t('button.posts'), url: page }]] };
  const found = await readPost(ctx, reference);
  const buttons = [[{ label: t('button.openPost'), url: `${page}/${reference}` }]];
  if (found.closed) return { text: paragraphs(found.title, connect('post.closed.title')), buttons };
  await viewPost(ctx, reference);
  const budget = budgetText(found, ctx.language);
  const place = placeWords(
    ctx.language,
    [found.location, found.city, found.region],
    found.regionCode,
  ).join(', ');
  return {
    text: paragraphs(
      found.title,
      lines(
        t('post.reference', { reference }),
        connect(`categories.${found.category}`),
        budget && t('post.budget', { budget }),
        place && t('stall.location', { place: short(place, 80) }),
        t('post.responses', { count: found.responses }),
      ),
      short(found.description, 600),
    ),
    buttons,
  };
}

import { pendingEdits, pendingProducts } from '../../../api/products/reads.ts';
import { hiddenNumber } from '../../../api/products/rules.ts';
import { phoneText } from '../../../api/shared/contact/readPhone.ts';
import { dayAndTime, nameIn } from '../../../api/shared/format.ts';
import { placeWords } from '../../../api/shared/places/placeWords.ts';
import { slotNumber } from '../../../api/shared/slots.ts';
import { money, textFor } from '../../../api/shared/text.ts';
import { translator } from '../../../locales/index.ts';
import { productLanguages } from '../../../locales/languages.ts';
import { lines, messages, short } from '../../delivery/layout.ts';
import { button, common, healthButton, pictureKey } from '../say.ts';
import type { Answer, Args, Reply, Turn } from '../types.ts';
import { decisions, oneOf, placeIn } from './decided.ts';

type Pending = Awaited<ReturnType<typeof pendingProducts>>['products'][number];
type Change = Awaited<ReturnType<typeof pendingEdits>>['edits'][number];
type At = { n: number; total: number };

/** Shows what awaits review, oldest first: products, then changes of live ones. */
export const pending = (turn: Turn, args: Args): Promise<Answer> => pendingAt(turn, placeIn(args));

export async function pendingAt(turn: Turn, wanted: number): Promise<Reply[]> {
  const { ctx, t } = turn;
  const { edits } = await pendingEdits(ctx);
  const first = await pendingProducts(ctx, { page: wanted, pageSize: 1, oldestFirst: true });
  const total = first.total + edits.length;
  if (total === 0)
    return [
      {
        text: t('admin.nothingPending'),
        buttons: [[button(turn, 'button.reports', 'reports'), ...healthButton(turn)]],
      },
    ];
  if (wanted > total) return pendingAt(turn, 1);
  const [product] = first.products;
  if (product) return submission(turn, product, { n: wanted, total });
  return change(turn, edits[edits.length - 1 - (wanted - first.total - 1)] as Change, {
    n: wanted,
    total,
  });
}

function submission(turn: Turn, product: Pending, at: At): Reply[] {
  const { ctx, t } = turn;
  const { language } = ctx;
  const say = translator(language, 'admin');
  const said = common(language);
  const name = nameIn(product.name, language);
  const seller = [product.sellerName, product.businessName].filter(Boolean).join(' · ');
  const names = productLanguages.map((each) => textFor(product.name, each));
  const words = productLanguages.map((each) => textFor(product.description, each));
  const facts = lines(
    product.price === null ? say('pending.noPrice') : money(product.price, language),
    product.durationSeconds !== null &&
      say('pending.duration', {
        duration: said('duration.hours', { count: Math.round(product.durationSeconds / 3600) }),
      }),
    said(`lane.${product.listingType === 'featured' ? 'featured' : 'regular'}`),
    product.preferredFeaturedSlot !== null &&
      say('pending.preferredSlot', { slot: slotNumber(product.preferredFeaturedSlot) }),
    product.category && said(`categories.${product.category}`),
    product.condition && said(`conditions.${product.condition}`),
    placeWords(language, [product.city, product.region], product.regionCode).join(', '),
    seller && say('pending.seller', { name: seller }),
    say(
      product.sellerSuspended
        ? 'pending.sellerSuspended'
        : product.sellerVerified
          ? 'pending.sellerVerified'
          : 'pending.notVerified',
    ),
    product.sellerWhatsapp &&
      say('pending.whatsapp', { number: phoneText(product.sellerWhatsapp) }),
    product.paymentMethod && said(`paymentMethods.${product.paymentMethod}`),
    product.listingFee !== null &&
      say('pending.fee', {
        fee: money(product.listingFee, language),
        state: product.feeReference ?? say('fees.due'),
      }),
    say('pending.submitted', { date: dayAndTime(new Date(product.createdAt), language) }),
  );
  const obstacle = lines(
    product.missing.length > 0 &&
      say('pending.missing', {
        fields: product.missing.map((field) => say(`integrity.fields.${field}`)).join(', '),
      }),
    foundIn(turn, product.contactFields),
    product.sellerSuspended && say('pending.suspendedText'),
  );
  const head = lines(
    t('admin.place', at),
    ...new Set(names),
    typeof product.name === 'object' && product.name?.written === 'fr' && said('product.inFrench'),
  );
  const about = { what: 'product' as const, id: product.id, seen: product.updatedAt };
  const edit = `${ctx.services.env.publicUrl}/${language}/admin/products/${product.id}/edit`;
  return oneOf(turn, about, at, {
    pictures: picturesOf(turn, name, product.images),
    texts: messages(
      [
        head,
        ...new Set(words.filter((text) => text !== null)),
        words.every((text) => !text) ? say('pending.noText') : '',
        facts,
        obstacle,
      ].filter(Boolean),
    ),
    buttons: [
      decisions(turn, about, product.can.approve ? ['approve', 'reject'] : ['reject']),
      ...(ctx.actor.kind === 'admin' && product.missing.length > 0
        ? [[{ label: say('pending.complete'), url: edit }]]
        : []),
    ],
  });
}

function change(
  turn: Turn,
  { id, before, after, seller, slotId, sellerSuspended, submittedAt, contactFields, can }: Change,
  at: At,
): Reply[] {
  const { language } = turn.ctx;
  const say = translator(language, 'admin');
  const label = translator(language, 'seller');
  const said = common(language);
  type Version = Change['before'] | Change['after'];
  const texts: [string, (version: Version) => string | null | undefined][] = [
    [label('wizard.fields.nameEn'), (version) => textFor(version.name, 'en')],
    [label('wizard.fields.nameFr'), (version) => textFor(version.name, 'fr')],
    [label('wizard.fields.descriptionEn'), (version) => textFor(version.description, 'en')],
    [label('wizard.fields.descriptionFr'), (version) => textFor(version.description, 'fr')],
    [label('wizard.fields.category'), ({ category }) => category && said(`categories.${category}`)],
    [said('condition'), ({ condition }) => condition && said(`conditions.${condition}`)],
    [label('wizard.fields.price'), ({ price }) => (price === null ? null : money(price, language))],
    [label('wizard.fields.sellerName'), (version) => version.sellerName],
    [
      label('wizard.fields.sellerWhatsapp'),
      ({ sellerWhatsapp }) =>
        sellerWhatsapp === hiddenNumber.present
          ? say('pending.presentNumber')
          : sellerWhatsapp === hiddenNumber.other
            ? say('pending.otherNumber')
            : sellerWhatsapp && phoneText(sellerWhatsapp),
    ],
    [label('wizard.fields.sellerLocation'), (version) => version.sellerLocation],
    [label('wizard.fields.businessName'), (version) => version.businessName],
  ];
  const shown = (text: string | null | undefined, most: number) =>
    text ? short(text, most) : say('pending.notGiven');
  const rows = texts.flatMap(([name, read]) =>
    (read(before) ?? '') === (read(after) ?? '')
      ? []
      : [
          lines(
            name,
            turn.t('admin.pair', { name: say('pending.before'), value: shown(read(before), 1500) }),
            turn.t('admin.pair', { name: say('pending.after'), value: shown(read(after), 2100) }),
          ),
        ],
  );
  const name = nameIn(before.name, language);
  const sameImages =
    before.images.map(({ src }) => src).join() === after.images.map(({ src }) => src).join();
  const head = lines(
    turn.t('admin.place', at),
    turn.t('admin.pair', { name: say('pending.change'), value: name }),
    seller && say('pending.seller', { name: seller }),
    slotId !== null && say('pending.inSlot', { slot: slotNumber(slotId) }),
    say('pending.submitted', { date: dayAndTime(new Date(submittedAt), language) }),
    foundIn(turn, contactFields),
    sellerSuspended && say('pending.suspendedText'),
  );
  const about = { what: 'change' as const, id, seen: submittedAt };
  return oneOf(turn, about, at, {
    pictures: sameImages ? [] : picturesOf(turn, `${name} – ${say('pending.after')}`, after.images),
    texts: messages([
      head,
      ...(rows.length > 0 || !sameImages ? rows : [say('pending.changeNothing')]),
    ]),
    buttons: [decisions(turn, about, can.approve ? ['approve', 'reject'] : ['reject'])],
  });
}

function foundIn({ ctx }: Turn, fields: Pending['contactFields']): string | false {
  const label = translator(ctx.language, 'seller');
  const names = fields.map((field) => label(`wizard.fields.${field}`)).join(', ');
  return (
    fields.length > 0 &&
    translator(ctx.language, 'admin')('pending.contactFound', { fields: names })
  );
}

const picturesOf = ({ ctx }: Turn, name: string, images: Pending['images']): Reply[] =>
  images.map((image, n) => ({
    text: common(ctx.language)('a11y.pictureOf', {
      name: short(name, 120),
      number: n + 1,
      total: images.length,
    }),
    picture: pictureKey(image),
  }));

import type { Args, Intent } from '../understanding/request.ts';
import { askTo } from './acting.ts';
import * as alerts from './alerts.ts';
import { contact } from './contact.ts';
import { approve, ask } from './deciding/deciding.ts';
import { reports } from './deciding/reported.ts';
import { pending } from './deciding/review.ts';
import { team } from './deciding/team.ts';
import * as draft from './drafting/drafting.ts';
import { turnedAway, type Who } from './gates.ts';
import { health } from './health.ts';
import { human, scam, unknown } from './human.ts';
import { join, joinAnew } from './joining/joining.ts';
import { language } from './language.ts';
import { disown, reopen } from './linking/closed.ts';
import { link, signIn, unlink } from './linking/linking.ts';
import { byCategory, byPlace, byPrice, find, found, lane, market, more } from './market.ts';
import { balance, responses, statement } from './members.ts';
import { morning, notices } from './notices.ts';
import { listing, mine, payListingFee, statusPicture } from './ownListings.ts';
import { post } from './posts.ts';
import { askToProve } from './proving.ts';
import { report } from './report.ts';
import { button, isClosed } from './say.ts';
import { selling } from './selling.ts';
import { available, priceOf, show } from './stall.ts';
import { help, start } from './start.ts';
import { stopped } from './stopping.ts';
import { terms } from './terms.ts';
import type { Answer, Handler, Turn } from './types.ts';

const anyone = (answer: Handler) => ({ who: 'anyone' as const, answer });
const account = (answer: Handler) => ({ who: 'account' as const, answer });
const seller = (answer: Handler) => ({ who: 'seller' as const, answer });
const nothing = anyone(({ t }) => ({ text: t('nothingOpen') }));

/** Every intent, whom it is for and its answer. Admins' commands are understood for admins only. */
const intents: Record<Intent, { who: Who; answer: Handler }> = {
  start: anyone(start),
  help: anyone(help),
  language: anyone(language),
  greeting: anyone(async (turn, args) => (await found(turn, args)) ?? start(turn)),
  thanks: anyone((turn) => ({
    text: turn.t('thanks'),
    buttons: [[button(turn, 'button.market', 'market')]],
  })),
  human: anyone(human),
  unknown: anyone(async (turn, args) => (await found(turn, args)) ?? unknown(turn)),

  market: anyone(market),
  premium: anyone(lane('premium')),
  standard: anyone(lane('standard')),
  categories: anyone(byCategory),
  places: anyone(byPlace),
  price: anyone(byPrice),
  find: anyone(find),
  search: anyone(async (turn, args) =>
    args.unsure ? ((await found(turn, args)) ?? unknown(turn)) : find(turn, args),
  ),
  more: anyone(more),
  show: anyone(show),
  priceOf: anyone(priceOf),
  available: anyone(available),
  contact: anyone(contact),
  report: anyone(report),
  alert: anyone(alerts.alert),
  follow: anyone(alerts.follow),
  pauseAlert: anyone(alerts.act('pause')),
  resumeAlert: anyone(alerts.act('resume')),
  paceAlert: anyone(alerts.act('pace')),
  endAlert: anyone(alerts.act('end')),
  scam: anyone(scam),

  selling: anyone(selling),
  mine: seller(mine),
  listing: seller(listing),
  picture: seller(statusPicture),
  payFee: seller(payListingFee),
  relist: seller(askTo('relist')),
  sold: seller(askTo('sold')),
  withdraw: seller(askTo('withdraw')),
  verify: seller((turn) => askToProve(turn)),
  sell: seller(draft.sell),
  myDraft: seller(draft.goOnWithDraft),
  freshDraft: seller(draft.sellAfresh),
  back: seller(draft.back),
  change: seller(draft.change),
  done: seller(draft.goOnWith),
  submit: seller(draft.submit),
  discard: seller(draft.discard),
  removePhoto: seller(draft.remove),

  post: anyone(post),
  balance: account(balance),
  statement: account(statement),
  responses: account(responses),
  join: anyone(join),
  anew: anyone(joinAnew),
  link: anyone(link),
  unlink: account(unlink),
  reopen: anyone((turn, args) =>
    isClosed(turn) ? reopen(turn, args) : (turnedAway(turn, 'account') ?? reopen(turn, args)),
  ),
  disown: account(disown),
  signIn: account(signIn),
  notices: anyone(notices),
  morning: seller(morning),
  terms: anyone(terms),
  stop: anyone((turn, { text }) => stopped(turn, text)),

  pending: anyone(pending),
  approve: anyone(approve),
  reject: anyone(ask('reject')),
  reports: anyone(reports),
  dismiss: anyone(ask('dismiss')),
  remove: anyone(ask('remove')),
  health: anyone(health),
  moderator: anyone(team('give')),
  endModerator: anyone(team('take')),

  yes: nothing,
  same: nothing,
  skip: nothing,
  no: anyone(({ t }) => ({ text: t('cancelled') })),
};

export function answerIntent(turn: Turn, intent: Intent, args: Args): Promise<Answer> | Answer {
  const { who, answer } = intents[intent];
  return turnedAway(turn, who, intent) ?? answer(turn, args);
}

import { Hono } from 'hono';
import { everyone, signedIn } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { addAlert } from './add.ts';
import { changeAlert } from './change.ts';
import { chooseChannel } from './chooseChannel.ts';
import { deviceNews, keptAlerts, rememberAlerts, withAlert } from './device.ts';
import { endFromMail } from './endFromMail.ts';
import { ownAlerts, ownChannels } from './reads.ts';
import { spelled, withoutAlert, withSeen } from './rules.ts';
import { alertAct, alertChannel, alertId, alertToken, deviceAct, newAlert } from './schema.ts';

/** Alerts on searches and shops, of the account or of the browser without one. */
export const alertRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: signedIn, tag: 'market', summary: 'One’s own alerts, the newest first' }),
    async (c) =>
      c.json({ alerts: await ownAlerts(c.get('ctx')), ...(await ownChannels(c.get('ctx'))) }),
  )
  .get(
    '/device',
    route({ who: everyone, tag: 'market', summary: 'Alerts of this browser, and what is new' }),
    async (c) => c.json({ alerts: await deviceNews(c.get('ctx'), keptAlerts(c)) }),
  );

/** Forms, with and without scripts; outcomes go back as codes. */
export const alertForms = new Hono<AppEnv>()
  .post(
    '/alerts',
    route({ who: everyone, tag: 'market', summary: 'Be told of what fits a search, or of a shop' }),
    valid('form', newAlert),
    async (c) => {
      const ctx = c.get('ctx');
      const form = c.req.valid('form');
      const to = (path: string) => c.redirect(`/${ctx.language}${path}`, 303);
      try {
        if (ctx.actor.kind === 'visitor') {
          rememberAlerts(c, await withAlert(ctx, keptAlerts(c), form));
          return to('/alerts?said=addedHere');
        }
        await addAlert(ctx, form);
        return to('/alerts?said=added');
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error;
        return to(`/alerts?said=${error.code}`);
      }
    },
  )
  .post(
    '/alerts/device',
    route({
      who: everyone,
      tag: 'market',
      summary: 'See what fits an alert of this browser, or end it',
    }),
    valid('form', deviceAct),
    async (c) => {
      const ctx = c.get('ctx');
      const { act, ...given } = c.req.valid('form');
      const wanted = spelled(given);
      const kept = keptAlerts(c);
      const isEnd = act === 'end';
      rememberAlerts(c, isEnd ? withoutAlert(kept, wanted) : withSeen(kept, wanted, ctx.now()));
      const path = isEnd
        ? '/alerts?said=end'
        : wanted.shop
          ? `/shops/${encodeURIComponent(wanted.shop)}`
          : `/market?${new URLSearchParams([...new URLSearchParams(wanted.search), ['sort', 'newest']])}`;
      return c.redirect(`/${ctx.language}${path}`, 303);
    },
  )
  .post(
    '/alerts/channel',
    route({ who: signedIn, tag: 'market', summary: 'Choose where alerts and favourites are told' }),
    valid('form', alertChannel),
    async (c) => {
      const ctx = c.get('ctx');
      await chooseChannel(ctx, c.req.valid('form').channel);
      return c.redirect(`/${ctx.language}/alerts?said=channel`, 303);
    },
  )
  .post(
    '/alerts/:id',
    route({ who: signedIn, tag: 'market', summary: 'Change, pause, resume or end an alert' }),
    valid('param', alertId),
    valid('form', alertAct),
    async (c) => {
      const ctx = c.get('ctx');
      const form = c.req.valid('form');
      await changeAlert(ctx, c.req.valid('param').id, form);
      return c.redirect(`/${ctx.language}/alerts?said=${form.act}`, 303);
    },
  )
  .post(
    '/alerts/end/:token',
    route({ who: everyone, tag: 'market', summary: 'End an alert from its mail (RFC 8058)' }),
    valid('param', alertToken),
    async (c) => {
      const ctx = c.get('ctx');
      await endFromMail(ctx, c.req.valid('param').token);
      // A mail program's one click must not be redirected; the page's own button names the page.
      return c.req.query('page') === undefined
        ? c.text('')
        : c.redirect(`/${ctx.language}/alerts/end/done`, 303);
    },
  );

import * as z from 'zod/mini';
import { alertPaces, outboxChannels } from '../../db/vocabularies.ts';

export const alertId = z.object({ id: z.uuid('invalid') });
/** Any token: a wrong one is answered as a right one. */
export const alertToken = z.object({ token: z.string().check(z.maxLength(200)) });

const pace = z._default(z.enum(alertPaces), 'now');
/** A search's address after `?`, or a shop's slug. */
const wanted = {
  search: z._default(z.string().check(z.maxLength(4000)), ''),
  shop: z._default(z.string().check(z.maxLength(200)), ''),
};
export const newAlert = z.object({ ...wanted, pace });
export const deviceAct = z.object({ ...wanted, act: z.enum(['open', 'end']) });
export const alertAct = z.object({
  act: z.enum(['pace', 'pause', 'resume', 'end']),
  pace,
});
export type AlertAct = z.output<typeof alertAct>;

export const alertChannel = z.object({ channel: z.enum(outboxChannels) });
export type Channel = z.output<typeof alertChannel>['channel'];

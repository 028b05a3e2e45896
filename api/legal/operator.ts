import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { readSettings } from '../settings/values.ts';

/**
 * The operator's public details and the senders of real payment messages; empty where nothing is
 * set.
 */
export async function operatorOf(ctx: Ctx): Promise<{
  name: string;
  address: string;
  email: string;
  whatsapp: string;
  dataOfficer: string;
  paymentSenders: string;
}> {
  openToEveryone(ctx);
  const { operatorName, operatorAddress, contactEmail, contactNumber, ...told } =
    await readSettings(ctx, [
      ...(['operatorName', 'operatorAddress', 'dataOfficer'] as const),
      ...(['contactEmail', 'contactNumber', 'paymentSenders'] as const),
    ]);
  return {
    name: operatorName,
    address: operatorAddress,
    email: contactEmail,
    whatsapp: contactNumber,
    ...told,
  };
}

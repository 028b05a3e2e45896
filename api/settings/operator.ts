import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { readSettings } from './values.ts';

/** Who runs the market and answers for personal data, for everybody; empty where nothing is set. */
export async function operatorOf(ctx: Ctx): Promise<{
  name: string;
  address: string;
  email: string;
  whatsapp: string;
  dataOfficer: string;
}> {
  openToEveryone(ctx);
  const { operatorName, operatorAddress, dataOfficer, contactEmail, contactNumber } =
    await readSettings(ctx, [
      ...(['operatorName', 'operatorAddress', 'dataOfficer'] as const),
      ...(['contactEmail', 'contactNumber'] as const),
    ]);
  return {
    name: operatorName,
    address: operatorAddress,
    email: contactEmail,
    whatsapp: contactNumber,
    dataOfficer,
  };
}

import type { paymentMethods } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Tx } from '../core/context.ts';
import type { Owed } from '../listings/open.ts';
import { readSettings } from '../settings/values.ts';
import { money } from '../shared/text.ts';
import { payInstruction } from './rules.ts';

/** Fee and payment instructions for a notification (product R31); empty if none is due. */
export async function feeWords(
  tx: Tx,
  { fee, feeReference }: Owed,
  method: (typeof paymentMethods)[number],
): Promise<(language: Language) => { fee?: string; howToPay?: string }> {
  if (fee === null) return () => ({});
  const { payees } = await readSettings(tx, ['payees']);
  const payee = payees[method];
  return (language) => {
    const amount = money(fee, language);
    const words = {
      amount,
      reference: feeReference ?? '',
      method: translator(language, 'common')(`paymentMethods.${method}`),
      ...payee,
    };
    return {
      fee: amount,
      howToPay: translator(language, 'seller')(payInstruction(method, payee), words),
    };
  };
}

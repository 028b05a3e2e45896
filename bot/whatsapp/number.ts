/** The phone number (E.164) in what WhatsApp calls somebody; nothing where that is no number. */
export function numberOf(id: string | undefined): string | undefined {
  const digits = (id ?? '').replaceAll(/[\s()+.-]/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}

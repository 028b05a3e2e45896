/** E.164 number from a WhatsApp user id, or undefined. */
export function numberOf(id: string | undefined): string | undefined {
  const digits = (id ?? '').replaceAll(/[\s()+.-]/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}

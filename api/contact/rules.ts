/** Limits of contact requests (decision 22); all are settings. */
export type ContactLimits = { contactPerHour: number; contactPerDay: number; contactPerAddressPerHour: number };
export type ContactCounts = { hour: number; day: number; addressHour: number };

/** Whether one more request is within the limits (marketplace §5: the check must pass). */
export function withinLimits(counts: ContactCounts, limits: ContactLimits): boolean {
  return counts.hour < limits.contactPerHour && counts.day < limits.contactPerDay && counts.addressHour < limits.contactPerAddressPerHour;
}

/** The messaging-app link with a prefilled greeting; the number is E.164 (marketplace §7). */
export function whatsappLink(number: string, greeting: string): string {
  return `https://wa.me/${number.replace(/^\+/, '')}?text=${encodeURIComponent(greeting)}`;
}

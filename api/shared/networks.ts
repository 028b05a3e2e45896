export const networkNames = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;

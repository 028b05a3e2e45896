// Before the files below read it.
process.env.RARE = '1';
await import('../bot/properties.test.ts');
await import('../http/auth-takeover.test.ts');
await import('../verbs/credits/properties.test.ts');
await import('../verbs/listings/properties.test.ts');

export {};

export * from './accounts.ts';
export * from './contact.ts';
export * from './listings.ts';
export * from './operations.ts';
export * from './people.ts';
export * from './products.ts';
export * from './sellers.ts';
export * from './slots.ts';

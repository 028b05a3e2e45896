import { eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';

/**
 * The condition that a product is the one meant: by its id, or by the eight digits that end its slug. Two products can share those, so
 * whoever asks this way looks among the 54 slots only, and says what happens when two are found.
 */
export const refersTo = (reference: string): SQL =>
  reference.length === 8
    ? sql`left(${schema.products.id}::text, 8) = ${reference}`
    : eq(schema.products.id, reference);

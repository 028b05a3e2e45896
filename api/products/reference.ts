import { eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';

/**
 * Condition for a product by id, or by the eight digits that end its slug. Two products may share
 * those: search only the slots, and handle two matches.
 */
export const refersTo = (reference: string): SQL =>
  reference.length === 8
    ? sql`left(${schema.products.id}::text, 8) = ${reference}`
    : eq(schema.products.id, reference);

import { inArray } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Language } from '../../../locales/languages.ts';
import type { Ctx } from '../../core/context.ts';
import { type Cell, writeCsv } from '../../shared/csv.ts';
import { fileKey } from '../../uploads/files.ts';
import type { Owner, Row, Section } from './section.ts';
import { sections } from './sections.ts';

type File = {
  name: string;
  lastModified: Date;
  input: AsyncIterable<string> | string | Uint8Array;
};

/** Version of `data.json`: raise it with any change that breaks a reader. */
const version = 1;

/** Files of a download, each made in its turn: all data as JSON, a CSV per section, pictures. */
export async function* filesOf(ctx: Ctx, owner: Owner): AsyncGenerator<File> {
  const lastModified = ctx.now();
  yield { name: 'data.json', lastModified, input: jsonOf(ctx, owner) };
  for (const each of sections)
    yield {
      name: `${each.name}.csv`,
      lastModified,
      input: csvOf(each, await each.read(ctx, owner), ctx.language),
    };
  yield* picturesOf(ctx, owner, lastModified);
}

/** Writes one section at a time: the whole is never in memory. */
async function* jsonOf(ctx: Ctx, owner: Owner): AsyncGenerator<string> {
  yield `${JSON.stringify({ version, market: ctx.services.env.publicUrl, at: ctx.now().toISOString() }).slice(0, -1)},"data":{`;
  for (const [index, { name, columns, read }] of sections.entries()) {
    const rows = await read(ctx, owner);
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:${JSON.stringify(rows.map((row) => only(columns, row)))}`;
  }
  yield '\n}}\n';
}

const only = (columns: readonly string[], row: Row): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

export function csvOf(
  { columns }: Pick<Section, 'columns'>,
  rows: readonly Row[],
  language: Language,
): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return writeCsv([columns, ...cells], language);
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
}

/** Pictures in their largest size; lost ones are left out. */
async function* picturesOf(
  ctx: Ctx,
  { productIds }: Owner,
  lastModified: Date,
): AsyncGenerator<File> {
  const { products } = schema;
  const rows = await ctx.db
    .select({ slug: products.slug, images: products.images })
    .from(products)
    .where(inArray(products.id, productIds));
  for (const { slug, images } of rows) {
    for (const [index, image] of images.entries()) {
      const input = await ctx.services.storage.get(fileKey(image.key, Math.max(...image.widths)));
      if (input) yield { name: `pictures/${slug}-${index + 1}.webp`, lastModified, input };
    }
  }
}

import { sql } from 'drizzle-orm';
import type { StoredImage } from '../../db/schema/products.ts';
import type { Ctx } from '../core/context.ts';
import { filesOf } from '../uploads/files.ts';
import { orphanedFiles } from './orphans.ts';
import { rulesOf } from './rule.ts';
import { orphanedFilesMs } from './rules.ts';

/** Photos that must exist; other uploads may still be on their way to the storage. */
export const shownPhotos = `select photo as image from products, jsonb_array_elements(images) as shown(photo)
  union select image from uploads where product_id is not null
    and not exists (select from products p where p.id = product_id
      and p.images @> jsonb_build_array(jsonb_build_object('key', uploads.key)))`;

/** Above this, the storage itself is gone. */
const lookedFor = 1000;

/** Photos come and go meanwhile, so a missing file and its row are read again. */
async function missingFiles(ctx: Ctx): Promise<string[]> {
  const { storage } = ctx.services;
  const there = new Set<string>();
  for await (const { key } of storage.list()) there.add(key);
  const named = async () =>
    new Set(
      (await ctx.db.execute<{ image: StoredImage }>(sql.raw(shownPhotos))).flatMap(({ image }) =>
        filesOf(image),
      ),
    );
  const away = [...(await named())].filter((file) => !there.has(file));
  const gone: string[] = [];
  for (const file of away.slice(0, lookedFor)) if (!(await storage.get(file))) gone.push(file);
  gone.push(...away.slice(lookedFor));
  if (gone.length === 0) return [];
  const still = await named();
  return gone.filter((file) => still.has(file));
}

export const photoRules = rulesOf('photo', {
  photoReleased: `select p.id from products p, jsonb_array_elements(p.images) as shown(photo)
    join uploads u on u.key = shown.photo ->> 'key' where u.product_id is null`,
  changePhotos: `select e.product_id as id from product_edits e,
    jsonb_array_elements_text(case when jsonb_typeof(e.changes -> 'images') = 'array'
    then e.changes -> 'images' else '[]' end) as wanted(id)
    where not exists (select from uploads u where u.id::text = wanted.id and u.product_id = e.product_id)`,
  uploadsLeft: `select id from uploads where product_id is null
    and created_at < (select now from clock) - interval '4 days'`,
});

/**
 * Evaluated last, against newer rows. The nightly cleanup had a day to delete what is two days old.
 */
export const fileRules = rulesOf('file', {
  filesMissing: missingFiles,
  filesLeft: async (ctx) => (await orphanedFiles(ctx, 2 * orphanedFilesMs)).orphaned,
});

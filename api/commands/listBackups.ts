import { backupPlace } from '../backup/places.ts';
import { readEnv } from '../ops/env.ts';

/** `bun run backup:list`: prints whole backups, oldest first. */
try {
  const place = backupPlace(readEnv(process.env));
  if (!place) throw new Error('BACKUP_DIR is not set.');
  for (const { name } of await place.list())
    console.log(`${place.address.replace(/\/$/, '')}/${name}`);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

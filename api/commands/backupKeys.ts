import { newKeys } from '../backup/sealing.ts';

/** `bun run backup:keys`: prints a new pair of keys and stores it nowhere. */
const { recipient, identity } = await newKeys();
if (process.stdout.isTTY)
  console.error(
    'The private key is shown this once. Keep it off the server: in a password manager, or printed in a safe.\n',
  );
console.log(`# public key, for BACKUP_RECIPIENTS on the server: ${recipient}\n${identity}`);

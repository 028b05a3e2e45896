import { removeAdmin } from '../auth/removeAdmin.ts';
import { runCommand, type Work } from './command.ts';

/** `bun run admin:remove <e-mail>`: the account stays. */
function begin(): Work {
  const [email, ...others] = process.argv.slice(2);
  if (!email || others.length > 0) throw new Error('Whose rights? bun run admin:remove <e-mail>');
  return async (ctx) => {
    await removeAdmin(ctx, email);
    console.log(`${email} is no admin any more.`);
    return 0;
  };
}

await runCommand(begin);

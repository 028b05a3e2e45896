import { parseArgs } from 'node:util';
import { translator } from '../../locales/index.ts';
import { createAuth } from '../auth/auth.ts';
import { createAdmin } from '../auth/createAdmin.ts';
import { newAdmin } from '../auth/schema.ts';
import { resetSecondFactor } from '../auth/secondFactor/resetSecondFactor.ts';
import type { Ctx } from '../core/context.ts';
import { normalEmail } from '../shared/email.ts';
import { problemsOf } from '../shared/issues.ts';
import { runCommand, type Work } from './command.ts';
import { askPassword } from './password.ts';

/**
 * `bun run admin:create --email … --name …`: the only way in for the first admin (product R0).
 * `--email … --reset-second-factor` only removes an admin's lost second factor.
 */
const { values } = parseArgs({
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    password: { type: 'string' },
    'reset-second-factor': { type: 'boolean' },
  },
});

async function whomToMake(
  email: string,
): Promise<{ email: string; name: string; password: string }> {
  if (values.password !== undefined)
    throw new Error(
      '--password would be in the shell’s history and in the list of processes. Leave it out: it is asked for, or is a line of standard input.',
    );
  const name = values.name ?? prompt('Name:') ?? '';
  const password = await askPassword(
    'Password (8 or more characters, with a capital, a small letter and a number):',
  );
  const judged = newAdmin.safeParse({ email, name, password }, { reportInput: true });
  if (judged.success) return judged.data;
  const say = translator('en', 'validation');
  throw new Error(
    problemsOf(judged.error.issues)
      .map(({ path, code, params }) => `${path}: ${say(code, params)}`)
      .join('\n'),
  );
}

async function begin(): Promise<Work> {
  const asked = values.email ?? prompt('Email:') ?? '';
  if (values['reset-second-factor']) return (ctx) => resetFactor(ctx, normalEmail(asked));
  const wanted = await whomToMake(asked);
  return (ctx) => makeAdmin(ctx, wanted);
}

async function makeAdmin(
  ctx: Ctx,
  wanted: Awaited<ReturnType<typeof whomToMake>>,
): Promise<number> {
  const { log, secret, env } = ctx.services;
  const silent = { reset: async () => {} };
  const auth = createAuth({
    db: ctx.db,
    now: ctx.now,
    log,
    secret,
    baseURL: env.publicUrl,
    mails: silent,
  });
  const { created, passwordSet } = await createAdmin({ ...ctx, auth }, wanted);
  console.log(
    created
      ? `Admin ${wanted.email} is made. Sign in at ${env.publicUrl}/admin/auth`
      : `${wanted.email} had an account: it is an admin now, with ${passwordSet ? 'the password you gave' : 'the password it had'}.`,
  );
  return 0;
}

async function resetFactor(ctx: Ctx, email: string): Promise<number> {
  const had = await resetSecondFactor(ctx, email);
  console.log(
    had
      ? `The second factor of ${email} is off. Sign in with the password alone, then turn it on again.`
      : `${email} has no second factor.`,
  );
  return 0;
}

await runCommand(begin);

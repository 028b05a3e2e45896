import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { isTeam, openToEveryone } from '../../core/access.ts';
import { Refusal } from '../../shared/errors.ts';
import type { SignUpCtx, WithCookies } from '../context.ts';
import { signOut } from '../signOut.ts';
import { type SignIn, signIn } from './signIn.ts';

/**
 * Signs an admin or a moderator in (product §5). Anyone else is signed out again, also from this
 * browser's earlier session. Refuses `auth.notAdmin`, `auth.codeWrong`, `auth.codeUsed` and as
 * {@link signIn}.
 */
export async function signInAdmin(
  ctx: SignUpCtx,
  input: SignIn,
): Promise<WithCookies<{ userId: string }>> {
  openToEveryone(ctx);
  const result = await signIn(ctx, input);
  const [user] = await ctx.db
    .select({ role: schema.user.role })
    .from(schema.user)
    .where(eq(schema.user.id, result.value.userId));
  if (isTeam(user?.role)) return result;
  const cookie = result.cookies.map((line) => line.split(';')[0]).join('; ');
  await ctx.auth.api.signOut({ headers: new Headers({ cookie }) });
  const { cookies } = await signOut(ctx);
  throw new Refusal('auth.notAdmin', {}, [], { cookies });
}

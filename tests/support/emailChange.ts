import { Refusal } from '../../api/shared/errors.ts';
import type { Person } from './actors.ts';
import type { Caller, TestApp } from './app.ts';
import { tokenIn } from './mail.ts';

export function emailChanges(market: TestApp) {
  type Answer = {
    sent?: true;
    error?: { code: string; fields?: { path: string; code: string }[] };
  };
  const post = (path: string, as: Caller, json?: object) =>
    market.call<Answer>(`/api/account/email/change${path}`, {
      method: 'POST',
      as,
      ...(json && { json }),
    });
  const ask = (
    person: Person,
    email: string,
    { as = person, ...proof }: { as?: Caller; password?: string; code?: string } = {},
  ) => post('', as, { email, password: person.password, ...proof });
  /** Submits a page's form; returns the result that its redirect carries. */
  const form = async (path: string, page: string, token: string, as: Caller = market.visitor()) => {
    const answer = await market.request(`/api/account/email/${path}?language=en`, {
      form: { token },
      as,
    });
    const to = new URL(answer.headers.get('location') ?? '', market.env.publicUrl);
    if (answer.status !== 303 || to.pathname !== `/en/${page}`)
      throw new Error(`${path} answered ${answer.status} and led to ${to}`);
    return to.searchParams.get('said');
  };
  const confirm = (token: string, as?: Caller) => form('change/confirm', 'email-change', token, as);
  const takeBack = (token: string) => form('take-back', 'email-back', token);
  const lastToken = async (address: string) => tokenIn(await market.mails.lastTo(address));
  return {
    post,
    ask,
    confirm,
    takeBack,
    lastToken,
    /** Runs the whole change; returns the token with which the former address takes it back. */
    async change(person: Person, email: string, from = person.email): Promise<string> {
      const asked = await ask(person, email);
      if (asked.status !== 200)
        throw new Refusal((asked.body.error?.code ?? 'unexpected') as 'unexpected');
      const said = await confirm(await lastToken(email), person);
      if (said !== 'done') throw new Error(`The change ended with ${said}`);
      return lastToken(from);
    },
  };
}

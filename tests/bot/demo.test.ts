import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import { openBot } from '../../bot/open.ts';
import { schema } from '../../db/client.ts';
import { members } from '../../db/seed/connect.ts';
import { sellers } from '../../db/seed/listings.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import { token } from '../support/botApi.ts';
import { jpeg } from '../support/photos.ts';
import { live } from '../support/products.ts';

const demo = await testApp({ env: { DEMO: '1' } });
const [seller, member] = [sellers[0], members[0]];
if (!seller || !member) throw new Error('The demo has nobody');
const mireille = await signUpSeller(demo, { email: seller.email, name: 'Mireille Estelle' });
await signUpMember(demo, { email: member.email, name: 'Agnès Colette' });
const stranger = await signUpSeller(demo, { name: 'Somebody who joined' });
const admin = await signInAdmin(demo);
const bot = openBot(demo.host);
const { chats, secondFactors, user } = schema;
beforeAll(() => bot.start());
afterAll(() => bot.stop());
beforeEach(() => demo.reset());

type Lines = {
  lines: { id: number; mine: boolean; text: string; photo?: string; buttons?: object[][] }[];
  barred: string | null;
};
async function write(as: Caller, given: Record<string, string | File>) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ as: 'visitor', ...given })) body.set(name, value);
  return demo.request('/demo/chat', {
    as,
    body,
    headers: { accept: 'application/json' },
    language: 'en',
  });
}
const read = async (as: Caller | undefined, role = 'visitor') =>
  (await demo.call<Lines>(`/api/demo/chat?as=${role}`, as ? { as } : {})).body;
const texts = async (as: Caller, role?: string) =>
  (await read(as, role)).lines.map(({ text }) => text);

test('what is written is answered with words and buttons, seen in the same browser alone, and forgotten when asked', async () => {
  const [one, other] = [demo.visitor(), demo.visitor()];
  expect((await write(one, { text: 'help' })).status).toBe(200);
  await write(other, { text: 'market' });
  expect(await texts(one)).toEqual(['help', expect.stringMatching(/^You can write/)]);
  expect(await texts(other)).toEqual(['market', expect.stringMatching(/^No stall/)]);
  expect((await read(undefined)).lines).toEqual([]);
  expect(await texts(one, 'seller')).toEqual([]);
  // The long poll of a page that has seen the question.
  expect(
    (await demo.call<Lines>('/api/demo/chat?as=visitor&after=1&wait=1', { as: one })).body.lines,
  ).toHaveLength(1);
  await write(one, { again: 'yes' });
  expect([(await read(one)).lines, await demo.db.$count(chats)]).toEqual([[], 1]);
});

test('a page without a script writes by its form, and comes back to the chat', async () => {
  const as = demo.visitor();
  const { status, headers } = await demo.request('/demo/chat', {
    as,
    form: { as: 'visitor', text: 'help' },
  });
  expect([status, headers.get('location')]).toEqual([303, '/en/demo/chat?as=visitor#write']);
  expect(await texts(as)).toHaveLength(2);
});

test('a seller and a member of the demo act there, and are told there what happens; nobody who joined it is ever acted for', async () => {
  const as = demo.visitor();
  await write(as, { as: 'seller', text: 'hello' });
  await write(as, { as: 'member', text: 'hello' });
  expect((await texts(as, 'seller'))[1]).toMatch(/^Hello Mireille Estelle/);
  expect((await texts(as, 'member'))[1]).toMatch(/^Hello Agnès Colette/);
  const seen = (await read(as, 'seller')).lines.at(-1)?.id ?? 0;
  await live(demo, mireille, admin, { name: { en: 'Toghu gown' } });
  const { lines } = (
    await demo.call<Lines>(`/api/demo/chat?as=seller&wait=1&after=${seen}`, { as })
  ).body;
  expect(lines[0]).toMatchObject({ mine: false, text: expect.stringContaining('Toghu gown') });
  expect((await demo.db.select().from(chats).where(eq(chats.userId, stranger.userId))).length).toBe(
    0,
  );
});

test('a code asks there too before it links, and a contact proves the number after a question, by the forms of a page', async () => {
  const as = demo.visitor();
  const { code } = await newLinkCode(await demo.ctx(stranger));
  await write(as, { text: `link ${code}` });
  const answer = (await read(as)).lines.at(-1);
  expect(answer?.text).toMatch(/^This code links this chat to the account \w•••@e•••\.test/);
  expect(JSON.stringify(answer?.buttons)).toContain('Yes, I Asked for It');
  await write(as, { text: 'yes' });
  expect((await texts(as)).at(-1)).toMatch(/^This chat now acts for the account \w•••@e•••\.test/);
  await write(as, { share: 'number' });
  expect((await texts(as)).at(-1)).toMatch(/^A contact that I have not asked for proves nothing/);
  await write(as, { text: 'verify' });
  expect((await texts(as)).at(-1)).toMatch(/^Your number will be confirmed for the account/);
  // This chat's number is unassigned, and not the profile's.
  await write(as, { share: 'number' });
  expect((await texts(as)).at(-1)).toMatch(
    /^This is not the WhatsApp number of your seller profile/,
  );
  await write(as, { text: 'unlink' });
  expect((await texts(as)).at(-1)).toMatch(/^This chat is no longer linked/);
});

test('a seller of the demo who was made an admin is acted for no more', async () => {
  const as = demo.visitor();
  await demo.db.update(user).set({ role: 'admin' }).where(eq(user.email, member.email));
  expect((await write(as, { as: 'member', text: 'hello' })).status).toBe(404);
  await demo.db.update(user).set({ role: 'member' }).where(eq(user.email, member.email));
});

test('an admin acts there from that admin’s own session alone, with a second factor; what was said is read by nobody who comes after', async () => {
  for (const as of [demo.visitor(), stranger]) {
    expect((await write(as, { as: 'admin', text: 'hello' })).status).toBe(403);
    expect(await read(as, 'admin')).toEqual({ lines: [], barred: 'forbidden' });
  }
  expect((await write(admin, { as: 'admin', text: 'hello' })).status).toBe(409);
  expect(await demo.db.$count(chats)).toBe(0);
  await demo.db.insert(secondFactors).values({
    userId: admin.userId,
    secret: 'x',
    createdAt: demo.clock.now(),
    confirmedAt: demo.clock.now(),
  });
  await write(admin, { as: 'admin', text: 'hello' });
  expect((await texts(admin, 'admin'))[1]).toMatch(/^Hello/);
  await demo.request('/sign-out', { as: admin, form: { returnTo: '/' } });
  expect(await read(admin, 'admin')).toEqual({ lines: [], barred: 'forbidden' });
});

test('a photo is shown to the browser that sent it, and nothing but a picture', async () => {
  const [one, other] = [demo.visitor(), demo.visitor()];
  await write(one, { text: 'help', photo: new File([new Uint8Array(await jpeg())], 'a.jpg') });
  await write(one, { text: 'help', photo: new File(['<script>alert(1)</script>'], 'a.jpg') });
  const refs = (await read(one)).lines.flatMap(({ photo }) => photo ?? []);
  const ask = (ref: string, as: Caller) => demo.request(`/demo/chat/photo/${ref}`, { as });
  expect((await ask(refs[0] ?? '', one)).headers.get('content-type')).toBe('image/jpeg');
  expect([
    (await ask(refs[0] ?? '', other)).status,
    (await ask(refs[1] ?? '', one)).status,
  ]).toEqual([404, 404]);
});

test('outside of the demo, and beside a bot of Telegram’s, there is no such route', async () => {
  const beside: Record<string, string> = { DEMO: '1', TELEGRAM_BOT_TOKEN: token };
  for (const env of [{}, beside]) {
    const market = await testApp({ database: demo.database, env });
    expect((await market.request('/demo/chat', { form: { text: 'help' } })).status).toBe(404);
    expect((await market.request('/api/demo/chat')).status).toBe(404);
    expect(
      (await market.request('/demo/chat/photo/6f0c4ad7-6a37-4b59-8b5f-5d7a2c2b8d11')).status,
    ).toBe(404);
  }
});

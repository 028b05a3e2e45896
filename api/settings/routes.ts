import { Hono } from 'hono';
import * as z from 'zod/mini';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { markPath } from '../shared/brand/mark.ts';
import { allSettings } from './reads.ts';
import { saveSetting } from './saveSetting.ts';
import { settingNames, testWay } from './schema.ts';
import { sendTestMessage, testMessages } from './testMessages.ts';

const settingName = z.strictObject({ name: z.enum(settingNames) });
/** The verb validates the value by the setting's name. */
const settingValue = z.strictObject({ value: z.unknown() });

/** Routes of /admin/settings (product R32). */
export const adminSettingRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary:
        'Every setting with its initial value and whether it is set, and the path of the mark',
    }),
    async (c) =>
      c.json({ settings: await allSettings(c.get('ctx')), mark: markPath('192') ?? null }),
  )
  .put(
    '/:name',
    route({ who: admins, tag: 'admin', summary: 'Set one setting' }),
    valid('param', settingName),
    valid('json', settingValue),
    async (c) =>
      c.json(await saveSetting(c.get('ctx'), c.req.valid('param').name, c.req.valid('json').value)),
  )
  .get(
    '/test-messages',
    route({
      who: admins,
      tag: 'admin',
      summary: 'What became of your own test messages of the last hour',
    }),
    async (c) => c.json(await testMessages(c.get('ctx'))),
  )
  .post(
    '/test-messages',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Send a test to your own mailbox, or to your own linked chats',
    }),
    valid('json', testWay),
    async (c) => c.json(await sendTestMessage(c.get('ctx'), c.req.valid('json').way)),
  );

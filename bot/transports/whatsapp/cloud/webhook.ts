import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { everyone } from '../../../../api/core/access.ts';
import { type AppEnv, route } from '../../../../api/http/route.ts';
import { Refusal } from '../../../../api/shared/errors.ts';

type Cloud = { appSecret: string; verifyToken: string; hear(delivery: unknown): Promise<void> };

const same = (given: string, wanted: string) => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
};

/**
 * Webhook of the Cloud API: verification by token, then signed deliveries. It answers once they are
 * stored; other answers make WhatsApp redeliver for days.
 */
export const cloudWebhook = (cloud?: Cloud) =>
  new Hono<AppEnv>()
    .get(
      '/whatsapp',
      route({
        who: everyone,
        proof: 'whatsappToken',
        tag: 'operation',
        summary: 'WhatsApp asks whether it may deliver here, with the word that it was told',
      }),
      (c) => {
        if (!cloud) throw new Refusal('notFound');
        const {
          'hub.mode': mode,
          'hub.verify_token': word = '',
          'hub.challenge': challenge = '',
        } = c.req.query();
        if (
          mode !== 'subscribe' ||
          !same(word, cloud.verifyToken) ||
          !/^[\w-]{1,256}$/.test(challenge)
        )
          throw new Refusal('forbidden');
        return c.text(challenge, 200, { 'content-type': 'text/plain' });
      },
    )
    .post(
      '/whatsapp',
      route({
        who: everyone,
        proof: 'whatsappSignature',
        tag: 'operation',
        summary: 'WhatsApp delivers what people wrote to the bot, signed',
      }),
      async (c) => {
        if (!cloud) throw new Refusal('notFound');
        const body = Buffer.from(await c.req.arrayBuffer());
        const signature = `sha256=${createHmac('sha256', cloud.appSecret).update(body).digest('hex')}`;
        if (!same(c.req.header('x-hub-signature-256') ?? '', signature))
          throw new Refusal('forbidden');
        await cloud.hear(parsed(body.toString('utf8')));
        return c.json({ stored: true });
      },
    );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

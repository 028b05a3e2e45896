import { createHmac } from 'node:crypto';

export const cloud = {
  token: 'a-token-that-only-the-tests-know',
  phoneId: '100200300400',
  appSecret: 'an-app-secret-of-the-tests',
  verifyToken: 'a-word-that-whatsapp-was-told',
};

export const cloudEnv = (root: string) => ({
  WHATSAPP_CLOUD_TOKEN: cloud.token,
  WHATSAPP_CLOUD_PHONE_ID: cloud.phoneId,
  WHATSAPP_CLOUD_APP_SECRET: cloud.appSecret,
  WHATSAPP_CLOUD_VERIFY_TOKEN: cloud.verifyToken,
  WHATSAPP_CLOUD_API_ROOT: `${root}/v25.0`,
});

/** One message as WhatsApp delivers it, from a number or a user id. */
export function cloudMessage(
  from: string,
  content: Record<string, unknown> | string,
  { id = `wamid.${crypto.randomUUID()}`, at = new Date() } = {},
) {
  const said = typeof content === 'string' ? { type: 'text', text: { body: content } } : content;
  const sender = /^\d+$/.test(from) ? { from, from_user_id: 'CM.1' } : { from_user_id: from };
  return { id, timestamp: String(Math.floor(at.getTime() / 1000)), ...sender, ...said };
}

export const signed = (body: string | Uint8Array, secret = cloud.appSecret) => ({
  'content-type': 'application/json',
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

export function cloudDelivery(
  messages: unknown[],
  {
    phoneId = cloud.phoneId,
    secret = cloud.appSecret,
    more = {},
  }: { phoneId?: string; secret?: string; more?: object } = {},
) {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001', phone_number_id: phoneId },
    messages,
    ...more,
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  });
  return { body, headers: signed(body, secret) };
}

import { closeNumber } from '../../../../api/chats/closed/closeNumber.ts';
import { noteUndelivered } from '../../../../api/chats/undelivered.ts';
import { tooBig } from '../../../messages/photos.ts';
import { createChannel } from '../../channel.ts';
import type { BotTransport, Opening } from '../../transport.ts';
import { cloudClient, cloudSettings } from './client.ts';
import { cloudPost } from './deliver.ts';
import { readDelivery, readFailures, readLeftNumbers } from './update.ts';

/** The WhatsApp transport through Meta's Cloud API and its webhook, if configured. */
export function cloudTransport({ host, ctx, receive }: Opening) {
  const settings = cloudSettings(host.services.env);
  if (!settings) return undefined;
  const { phoneId, appSecret, verifyToken, template } = settings;
  const client = cloudClient(settings);
  const channel = createChannel(ctx, 'whatsapp', 'cloud');

  async function hear(delivery: unknown): Promise<void> {
    const messages = readDelivery({ phoneId, secret: host.services.secret }, delivery);
    // In sequence, as messages are handled in the order they are stored.
    for (const message of messages) await receive(message);
    if (messages.length > 0) channel.received();
    for (const left of readLeftNumbers({ phoneId }, delivery))
      await closeNumber(ctx, 'whatsapp', left);
    const failures = readFailures({ phoneId }, delivery);
    if (failures.length > 0) await noteUndelivered(ctx, 'whatsapp', failures);
  }

  const transport: BotTransport = {
    transport: 'whatsapp',
    async fetchPhoto(ref, most, signal) {
      const bytes = await client.download(ref, most, signal);
      if (!bytes) throw tooBig(most);
      return bytes;
    },
    async start(deliver) {
      const quiet = await deliver(channel.watched(cloudPost(client, template)));
      channel.state('connected');
      return async () => {
        await quiet();
        await channel.stop();
      };
    },
  };
  return { ...transport, webhook: { appSecret, verifyToken, hear } };
}

import { useAction } from '../actions/useAction.ts';
import { type QueueScreen, whyRefused } from './queue.ts';

/** Restores a removed product (product R16), from the toast and from the list. */
export function useRestore({ t, api, send, signIn, refresh }: QueueScreen) {
  return useAction({
    signIn,
    call: (id: string, key) =>
      send(
        api.admin.queue[':id'].restore.$post({ param: { id }, header: { 'idempotency-key': key } }),
      ),
    success: () => t('restored'),
    failure: (error) => t('actionFailed', { reason: whyRefused(error, t) }),
    onDone: refresh,
    onRefused: refresh,
  });
}

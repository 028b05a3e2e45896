import { useMutation } from '@tanstack/react-query';
import { unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { toast } from '../../ui/Toaster.tsx';
import { type QueueDesk, whyRefused } from './queue.ts';

/** Gives a removed product back (product R16): from the message that says it was removed, and from the list of removed products. */
export function useRestore({ t, d, api, lost, refresh }: QueueDesk) {
  return useMutation(
    {
      mutationFn: (id: string) => unwrap(api.admin.queue[':id'].restore.$post({ param: { id } }), d('connection')),
      onSuccess: () => {
        toast.success(t('restored'));
        return refresh();
      },
      onError: (error) => {
        if (lost(error)) return undefined;
        toast.error(t('actionFailed', { reason: whyRefused(error, t) }));
        return refresh();
      },
    },
    queryClient(),
  );
}

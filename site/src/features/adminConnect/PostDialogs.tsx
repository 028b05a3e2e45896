import { hiding, reportsAnswer } from '../../../../api/connect/schema.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { isRefused } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Checkbox, TextArea } from '../../ui/Field.tsx';
import { useAction } from '../actions/useAction.ts';
import { FormDialog } from '../admin/FormDialog.tsx';
import { messageOf } from '../admin/screen.ts';
import type { AdminPost, Asking, PostsScreen } from './posts.ts';

type Props = {
  screen: PostsScreen;
  validation: Dictionaries['validation'];
  asking: Asking | null;
  onClose: () => void;
};

/** Another admin was faster, or the post was deleted with its owner's account. */
const isOutdated = isRefused('conflict', 'connect.notFound');

/** Dialogs for hiding, restoring, and closing reports. */
export function PostDialogs({ screen, validation, asking, onClose }: Props) {
  const { t, common, api, send, signIn, isAdmin } = screen;
  const one = api.admin.connect.posts[':reference'];
  const shared = {
    signIn,
    isOutdated,
    close: onClose,
    invalidates: [['connectPosts'], ['connectReports']],
  };
  const keyed = ({ reference }: AdminPost, key: string) => ({
    param: { reference },
    header: { 'idempotency-key': key },
  });

  const hide = useAction({
    ...shared,
    call: (
      { post, ...json }: { post: AdminPost; reason: string; refund?: boolean | undefined },
      key,
    ) => send(one.hide.$post({ ...keyed(post, key), json })),
    success: ({ refunded }, { post }) => ({
      title: t(refunded ? 'hiddenRefunded' : 'hidden'),
      description: post.title,
    }),
    failure: (error) => ({ title: t('hideFailed'), description: messageOf(error) }),
  });
  const unhide = useAction({
    ...shared,
    call: ({ post }: { post: AdminPost }, key) => send(one.unhide.$post(keyed(post, key))),
    success: (_, { post }) => ({ title: t('unhidden'), description: post.title }),
    failure: (error) => ({ title: t('unhideFailed'), description: messageOf(error) }),
  });
  const resolve = useAction({
    ...shared,
    call: ({ post, resolution }: { post: AdminPost; resolution: string }, key) =>
      send(
        one.resolve.$post({
          ...keyed(post, key),
          json: { resolution, ...(post.latestReportAt ? { seen: post.latestReportAt } : {}) },
        }),
      ),
    success: (_, { post }) => ({ title: t('resolved'), description: post.title }),
    failure: (error) => ({ title: t('resolveFailed'), description: messageOf(error) }),
  });

  const { post } = asking ?? {};
  const title = post?.title ?? '';
  const form = { screen, validation, isOutdated, onClose };
  return (
    <>
      <FormDialog
        {...form}
        danger
        open={asking?.about === 'hide'}
        title={t('hideTitle', { title })}
        text={t('hideText')}
        submit={t('hide')}
        schema={hiding}
        read={({ reason = '', refund }) => ({ reason, refund: refund === 'on' })}
        send={async (values) => post && hide.mutateAsync({ post, ...values })}
      >
        {(field) => (
          <>
            <TextArea
              required
              label={t('reason')}
              hint={t('reasonHint')}
              maxLength={300}
              {...field('reason')}
            />
            {post?.refunded ? (
              <p className="soft">{t('refundDone')}</p>
            ) : (
              isAdmin && <Checkbox label={t('refund')} hint={t('refundHint')} name="refund" />
            )}
          </>
        )}
      </FormDialog>
      <FormDialog
        {...form}
        open={asking?.about === 'resolve'}
        title={t('resolveTitle', { title })}
        text={t('resolveText')}
        submit={t('resolve')}
        schema={reportsAnswer}
        read={({ resolution = '' }) => ({ resolution })}
        send={async ({ resolution }) => post && resolve.mutateAsync({ post, resolution })}
      >
        {(field) => (
          <TextArea required label={t('note')} maxLength={300} {...field('resolution')} />
        )}
      </FormDialog>
      <ConfirmDialog
        open={asking?.about === 'unhide'}
        tone="primary"
        title={t('unhideTitle', { title })}
        consequence={t('unhideText')}
        confirmLabel={t('unhide')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={unhide.isPending}
        error={unhide.error && messageOf(unhide.error)}
        onConfirm={() => post && unhide.mutate({ post })}
        onClose={() => {
          unhide.reset();
          onClose();
        }}
      />
    </>
  );
}

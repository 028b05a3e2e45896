import { type ReactNode, useEffect } from 'react';
import type * as z from 'zod/mini';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { typedIn } from '../../lib/form.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import type { AdminScreen } from './screen.ts';

type Props<Schema extends z.ZodMiniType> = {
  screen: Pick<AdminScreen<object>, 'common' | 'language'>;
  validation: Dictionaries['validation'];
  open: boolean;
  /** Names the item in question. */
  title: string;
  /** Consequence. */
  text: ReactNode;
  submit: string;
  danger?: boolean;
  schema: Schema;
  /** Converts the form's strings to the schema's input. */
  read?: (typed: Record<string, string>) => z.input<Schema>;
  send: (values: z.input<Schema>) => Promise<unknown>;
  /** Recognizes refusals that close the dialog. */
  isOutdated: (error: Error) => boolean;
  onClose: () => void;
  /** Renders the fields; `field` gives their props. */
  children: (field: ReturnType<typeof useForm>['field']) => ReactNode;
};

function Form<Schema extends z.ZodMiniType>(props: Props<Schema>) {
  const {
    screen,
    validation,
    open,
    title,
    text,
    submit,
    danger = false,
    schema,
    read,
    send,
    isOutdated,
    onClose,
    children,
  } = props;
  const { common, language } = screen;
  const form = useForm({ language, validation, schema, send, onRefused: isOutdated });
  const { busy } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening is a question of its own, and knows nothing of the last one's refusal.
  useEffect(() => {
    form.clear();
  }, [open]);
  return (
    <Dialog
      open={open}
      title={title}
      closeLabel={common('close')}
      busy={busy}
      error={form.refused?.message}
      onClose={onClose}
      formRef={form.ref}
      onSubmit={(event) => {
        const typed = typedIn(event.currentTarget, schema);
        void form.submit(read ? read(typed) : (typed as z.input<Schema>));
      }}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {children(form.field)}
    </Dialog>
  );
}

/** Admin dialog with a form, validated by the API's schema. Input stays after a refusal. */
export const FormDialog = guardDialog(Form) as typeof Form;

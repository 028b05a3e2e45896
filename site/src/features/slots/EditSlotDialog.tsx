import { useEffect, useRef, useState } from 'react';
import { durationHours, hasCondition, limits } from '../../../../api/products/schema.ts';
import { limits as sellerLimits } from '../../../../api/sellers/schema.ts';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { slotEdit } from '../../../../api/slots/schema.ts';
import { conditions } from '../../../../db/vocabularies.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { ApiError, isRefused } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong, judge } from '../../lib/form.ts';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Checkbox, Select, TextArea, TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { productName } from '../admin/productName.ts';
import { messageOf } from '../admin/screen.ts';
import { useClock } from './clock.ts';
import { type Answers, baseOf, editOf, hoursOf } from './edit.ts';
import './edit.css';
import { guardDialog } from '../../ui/guardDialog.tsx';
import type { SlotDialogProps } from './SlotConfirm.tsx';
import { type Held, isOutdated } from './slots.ts';

/**
 * Edits the product in a slot (product §4; product R7, R8), and shows the new end before saving.
 * Untouched fields follow the list; typed text stays, even if another admin changes the product.
 */
export const EditSlotDialog = guardDialog(function EditSlotDialog({
  slot,
  validation,
  screen,
  onClose,
  onDone,
}: SlotDialogProps & { slot: Held | null; validation: Dictionaries['validation'] }) {
  const { language, t, common, api, send, invalidate, signIn } = screen;
  const [typed, setTyped] = useState<Partial<Answers>>({});
  const [hours, setHours] = useState<number>();
  const [featured, setFeatured] = useState<boolean>();
  const [errors, setErrors] = useState<FieldErrors>({});
  const form = useRef<HTMLDivElement>(null);
  const chosen = hours ?? (slot ? hoursOf(slot.product) : 0);
  const minute = useClock((now) => Math.floor(now / 60_000)) * 60_000;

  const save = useAction({
    signIn,
    call: ({ slot, json }: { slot: Held; json: ReturnType<typeof editOf> }) =>
      send(api.admin.slots[':slotId'].$put({ param: { slotId: String(slot.id) }, json })),
    success: (_, { slot }) => ({
      title: t('updated', { slot: slotNumber(slot.id) }),
      description: productName(slot.product, screen),
    }),
    failure: (error) =>
      isOutdated(error) && {
        title: t('updateFailed'),
        description: `${messageOf(error)} ${t('reread')}`,
      },
    isOutdated,
    close: onDone,
    onRefused: (error) => {
      if (error instanceof ApiError) setErrors(error.fields);
      if (isRefused('products.changed')(error)) invalidate('slots');
    },
  });
  const about = slot && `${slot.id} ${slot.product.id}`;
  const { reset } = save;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another product begins again.
  useEffect(() => {
    setTyped({});
    setHours(undefined);
    setFeatured(undefined);
    setErrors({});
    reset();
  }, [about, reset]);
  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  const base = slot && baseOf(slot.product);
  const submit = () => {
    if (!slot) return;
    const json = editOf(
      slot,
      { ...baseOf(slot.product), ...typed },
      chosen,
      featured ?? slot.isFeatured,
    );
    const judged = judge(slotEdit, json, language, validation);
    setErrors(judged.ok ? {} : judged.errors);
    if (judged.ok) save.mutate({ slot, json });
  };
  const field = (name: keyof Answers, ...paths: string[]) => ({
    name,
    value: typed[name] ?? base?.[name] ?? '',
    readOnly: save.isPending,
    error: paths.map((path) => errors[path]).find(Boolean),
    onChange: (event: { target: { value: string } }) => {
      setTyped((now) => ({ ...now, [name]: event.target.value }));
      setErrors({});
    },
  });
  return (
    <Dialog
      large
      open={slot !== null}
      title={slot && t('editDialog.title', { slot: slotNumber(slot.id) })}
      closeLabel={common('close')}
      busy={save.isPending}
      error={
        save.error &&
        !isOutdated(save.error) && (
          <>
            <strong>{t('updateFailed')}</strong>
            <br />
            {messageOf(save.error)}
          </>
        )
      }
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={save.isPending} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {t('editDialog.save')}
          </Button>
        </>
      }
    >
      <div className="slotform" ref={form}>
        <div className="slotform__time">
          <Select
            label={t('editDialog.duration')}
            name="durationHours"
            value={String(chosen)}
            disabled={save.isPending}
            error={errors.durationHours}
            options={durationHours.map((value) => ({
              value: String(value),
              label: `${t('durations.hours', { count: value })} (${t('durations.days', { count: value / 24 })})`,
            }))}
            onChange={(event) => setHours(Number(event.target.value))}
          />
          <div aria-live="polite">
            <Note tone="wait">
              {slot?.state === 'paused'
                ? t('editDialog.newRemainder', {
                    duration: t('durations.hours', { count: chosen }),
                  })
                : t('editDialog.newEnd', {
                    end: dateTime(minute + chosen * 3_600_000, language, 'full'),
                  })}
            </Note>
          </div>
          <Checkbox
            label={t('editDialog.featured')}
            checked={featured ?? slot?.isFeatured ?? false}
            disabled={save.isPending}
            onChange={(event) => setFeatured(event.target.checked)}
          />
        </div>
        <TextInput
          label={t('fields.nameEn')}
          maxLength={limits.name.max}
          {...field('nameEn', 'name.en')}
        />
        <TextInput
          label={t('fields.nameFr')}
          maxLength={limits.name.max}
          {...field('nameFr', 'name.fr', 'name')}
        />
        <TextArea
          label={t('fields.descriptionEn')}
          rows={3}
          maxLength={limits.description.max}
          {...field('descriptionEn', 'description.en')}
        />
        <TextArea
          label={t('fields.descriptionFr')}
          rows={3}
          maxLength={limits.description.max}
          {...field('descriptionFr', 'description.fr', 'description')}
        />
        <TextInput
          label={t('editDialog.price')}
          inputMode="numeric"
          hint={t('fields.priceHint')}
          {...field('price', 'price')}
        />
        {hasCondition(slot?.product.category) && (
          <Select
            label={t('condition')}
            placeholder={t('conditionNone')}
            options={conditions.map((value) => ({ value, label: t(`conditions.${value}`) }))}
            {...field('condition', 'condition')}
          />
        )}
        <TextInput
          label={t('editDialog.location')}
          hint={t('fields.sellerLocationHint')}
          placeholder={t('fields.sellerLocationPlaceholder')}
          maxLength={sellerLimits.location.max}
          {...field('location', 'sellerLocation')}
        />
        <TextInput
          label={t('editDialog.businessName')}
          {...field('businessName', 'businessName')}
        />
      </div>
    </Dialog>
  );
});

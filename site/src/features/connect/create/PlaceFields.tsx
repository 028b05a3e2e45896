import { useId, useState } from 'react';
import { regionOf } from '../../../../../api/shared/places/regionOf.ts';
import { regions } from '../../../../../api/shared/places/regions.ts';
import { Select } from '../../../ui/Field.tsx';
import { Towns } from '../../../ui/PlaceField.tsx';
import { type FieldProps, held, Text } from './fields.tsx';
import type { CreateWords } from './words.ts';

/** Town with suggestions, and region: it follows from the town where that is known. */
export function PlaceFields({ place, ...form }: FieldProps & { place: CreateWords['place'] }) {
  const { t, language, answers, busy, set } = form;
  const list = useId();
  const [asked, setAsked] = useState(false);
  const names = regions.map((code) => place.regions[code]);
  // A draft from before the list may hold other words.
  const own = answers.region && !names.includes(answers.region) ? [answers.region] : [];
  const listed = regionOf(answers.region) ?? '';
  return (
    <>
      <Text
        {...form}
        name="city"
        label={t('city')}
        list={list}
        onFocus={() => setAsked(true)}
        set={(change) => {
          const region = change.city === undefined ? undefined : regionOf(change.city);
          set({ ...change, ...(region ? { region: place.regions[region] } : {}) });
        }}
      />
      {asked && <Towns id={list} {...{ language, place }} region={listed} alone />}
      <Select
        {...held(form, 'region')}
        label={t('region')}
        optional={t('optional')}
        disabled={busy}
        placeholder={place.choose}
        options={[...own, ...names].map((value) => ({ value, label: value }))}
      />
    </>
  );
}

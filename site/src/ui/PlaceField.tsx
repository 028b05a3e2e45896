import { type ComponentProps, useId, useState } from 'react';
import { regionOf } from '../../../api/shared/places/regionOf.ts';
import { type Region, regionNamed, regions } from '../../../api/shared/places/regions.ts';
import { townsOf } from '../../../api/shared/places/towns.ts';
import { clientTranslator } from '../../../locales/client.ts';
import type { Dictionaries } from '../../../locales/keys.ts';
import type { Language } from '../../../locales/languages.ts';
import { typeInto } from '../lib/form.ts';
import { Select, TextInput } from './Field.tsx';

export type PlaceWords = Dictionaries['common']['place'] & {
  regions: Dictionaries['common']['regions'];
};
type Props = ComponentProps<typeof TextInput> & { language: Language; place: PlaceWords };

/** Towns of one region, or of all; as 'Town, Region' unless `alone`. */
export function Towns({
  id,
  language,
  place,
  region,
  alone = false,
}: Pick<Props, 'language' | 'place'> & { id: string; region: Region | ''; alone?: boolean }) {
  return (
    <datalist id={id}>
      {(region ? [region] : regions).flatMap((code) =>
        townsOf(code).map(({ en, fr }) => {
          const town = language === 'fr' ? fr : en;
          return <option key={town} value={alone ? town : `${town}, ${place.regions[code]}`} />;
        }),
      )}
    </datalist>
  );
}

/** The seller's own words without a region's name. */
const townIn = (text: string): string =>
  text
    .split(',')
    .filter((part) => regionNamed(part) === undefined)
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');

/**
 * A place in the seller's own words, with towns to choose from, and its region: it follows from the
 * town where that is known, else the choice is written behind the words. Only the words are sent.
 */
export function PlaceField({ language, place, onChange, onBlur, ...input }: Props) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Region | ''>('');
  const [asked, setAsked] = useState(false);
  const [elsewhere, setElsewhere] = useState('');
  const text = input.value === undefined ? typed : String(input.value);
  const region = regionOf(text) ?? chosen;

  const complete = (code: Region | '') => {
    const control = document.getElementById(id);
    const town = townIn(text);
    if (!code || town === '' || !(control instanceof HTMLInputElement)) return;
    const written = `${town}, ${place.regions[code]}`;
    const sure = regionOf(town);
    if (regionOf(written) === code) typeInto(control, written);
    else if (sure)
      setElsewhere(
        clientTranslator(language, place)('elsewhere', { town, region: place.regions[sure] }),
      );
  };

  return (
    <>
      <TextInput
        {...input}
        id={id}
        list={list}
        autoComplete="off"
        onFocus={() => setAsked(true)}
        onChange={(event) => {
          setTyped(event.target.value);
          setElsewhere('');
          onChange?.(event);
        }}
        onBlur={(event) => {
          if (regionOf(text) === undefined) complete(chosen);
          onBlur?.(event);
        }}
      />
      {asked && <Towns id={list} {...{ language, place, region }} />}
      <Select
        label={place.region}
        hint={place.hint}
        error={elsewhere || undefined}
        placeholder={place.choose}
        disabled={input.readOnly}
        options={regions.map((value) => ({ value, label: place.regions[value] }))}
        value={region}
        onChange={({ target }) => {
          const code = regions.find((known) => known === target.value) ?? '';
          setElsewhere('');
          setChosen(code);
          complete(code);
        }}
      />
    </>
  );
}

import { lengthOf } from '../../../../../api/core/clean.ts';
import { categories, limits } from '../../../../../api/products/schema.ts';
import { Select, TextArea, TextInput } from '../../../ui/Field.tsx';
import { asKept } from './draft.ts';
import { bind, type StepProps } from './step.ts';

/** What is sold, in both languages, and what it is. */
export function BasicStep(step: StepProps) {
  const { words, t } = step;
  const answers = asKept(step.answers);
  const text = (name: 'name.en' | 'name.fr' | 'description.en' | 'description.fr') => {
    const used = lengthOf(answers[name]);
    const { max } = name.startsWith('name') ? limits.name : limits.description;
    return { ...bind(step, name), lang: name.slice(-2), counter: { used, limit: max, label: t('fields.characters', { used, max }) } };
  };
  return (
    <>
      <TextInput {...text('name.en')} label={t('fields.nameEn')} required placeholder={t('fields.nameEnPlaceholder')} />
      <TextArea {...text('description.en')} label={t('fields.descriptionEn')} required rows={4} placeholder={t('fields.descriptionEnPlaceholder')} />
      <TextInput {...text('name.fr')} label={t('fields.nameFr')} hint={t('fields.frenchHint')} placeholder={t('fields.nameFrPlaceholder')} />
      <TextArea
        {...text('description.fr')}
        label={t('fields.descriptionFr')}
        rows={4}
        hint={t('fields.frenchHint')}
        placeholder={t('fields.descriptionFrPlaceholder')}
      />
      <Select
        {...bind(step, 'category')}
        label={t('fields.category')}
        required
        placeholder={t('fields.categoryPlaceholder')}
        options={categories.map((value) => ({ value, label: words.categories[value] }))}
      />
    </>
  );
}

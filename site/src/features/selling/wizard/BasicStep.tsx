import { categories, limits } from '../../../../../api/products/schema.ts';
import { Select, TextArea, TextInput } from '../../../ui/Field.tsx';
import type { StepProps } from './step.ts';

/** What is sold, in both languages, and what it is. */
export function BasicStep({ words, t, answers, errors, set, left }: StepProps) {
  const counter = (name: 'name.en' | 'name.fr' | 'description.en' | 'description.fr', max: number) => {
    const used = answers[name].trim().length;
    return { used, limit: max, label: t('fields.characters', { used, max }) };
  };
  return (
    <>
      <TextInput
        label={t('fields.nameEn')}
        name="name.en"
        lang="en"
        required
        placeholder={t('fields.nameEnPlaceholder')}
        value={answers['name.en']}
        counter={counter('name.en', limits.name.max)}
        error={errors['name.en']}
        onChange={(event) => set('name.en', event.target.value)}
        onBlur={() => left('name.en')}
      />
      <TextArea
        label={t('fields.descriptionEn')}
        name="description.en"
        lang="en"
        required
        rows={4}
        placeholder={t('fields.descriptionEnPlaceholder')}
        value={answers['description.en']}
        counter={counter('description.en', limits.description.max)}
        error={errors['description.en']}
        onChange={(event) => set('description.en', event.target.value)}
        onBlur={() => left('description.en')}
      />
      <TextInput
        label={t('fields.nameFr')}
        name="name.fr"
        lang="fr"
        hint={t('fields.frenchHint')}
        placeholder={t('fields.nameFrPlaceholder')}
        value={answers['name.fr']}
        counter={counter('name.fr', limits.name.max)}
        error={errors['name.fr']}
        onChange={(event) => set('name.fr', event.target.value)}
        onBlur={() => left('name.fr')}
      />
      <TextArea
        label={t('fields.descriptionFr')}
        name="description.fr"
        lang="fr"
        rows={4}
        hint={t('fields.frenchHint')}
        placeholder={t('fields.descriptionFrPlaceholder')}
        value={answers['description.fr']}
        counter={counter('description.fr', limits.description.max)}
        error={errors['description.fr']}
        onChange={(event) => set('description.fr', event.target.value)}
        onBlur={() => left('description.fr')}
      />
      <Select
        label={t('fields.category')}
        name="category"
        required
        placeholder={t('fields.categoryPlaceholder')}
        options={categories.map((value) => ({ value, label: words.categories[value] }))}
        value={answers.category}
        error={errors.category}
        onChange={(event) => set('category', event.target.value)}
      />
    </>
  );
}

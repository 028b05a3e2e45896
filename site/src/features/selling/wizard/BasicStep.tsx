import { hasCondition, limits } from '../../../../../api/products/schema.ts';
import { categories, conditions } from '../../../../../db/vocabularies.ts';
import { Checkbox, Select, TextArea, TextInput } from '../../../ui/Field.tsx';
import { counterOf } from '../../forms/counter.ts';
import { asKept } from './draft.ts';
import { bind, bindText, type StepProps } from './step.ts';

export function BasicStep(step: StepProps) {
  const { words, t, language } = step;
  const answers = asKept(step.answers);
  const text = (name: 'name.en' | 'name.fr' | 'description.en' | 'description.fr') => {
    const { max } = name.startsWith('name') ? limits.name : limits.description;
    const counter = counterOf(answers[name], max, language, (used, most) =>
      t('fields.characters', { used, max: most }),
    );
    return { ...bindText(step, name), lang: name.slice(-2), counter };
  };
  // French pages put French first; a draft in one language keeps the order it was written in.
  const isFrenchFirst = language === 'fr' || answers.sameText;
  const english = (
    <>
      <TextInput
        {...text('name.en')}
        label={t('fields.nameEn')}
        required
        placeholder={t('fields.nameEnPlaceholder')}
      />
      <TextArea
        {...text('description.en')}
        label={t('fields.descriptionEn')}
        required
        rows={4}
        placeholder={t('fields.descriptionEnPlaceholder')}
      />
    </>
  );
  const hint = answers.sameText ? undefined : t('fields.frenchHint');
  const french = (
    <>
      <TextInput
        {...text('name.fr')}
        label={t('fields.nameFr')}
        required={answers.sameText}
        hint={hint}
        placeholder={t('fields.nameFrPlaceholder')}
      />
      <TextArea
        {...text('description.fr')}
        label={t('fields.descriptionFr')}
        required={answers.sameText}
        rows={4}
        hint={hint}
        placeholder={t('fields.descriptionFrPlaceholder')}
      />
    </>
  );
  return (
    <>
      {isFrenchFirst ? (
        <>
          {french}
          <Checkbox
            name="sameText"
            label={t('fields.sameText')}
            hint={t('fields.sameTextHint')}
            checked={answers.sameText}
            onChange={(event) => step.set('sameText', event.target.checked)}
          />
          {!answers.sameText && english}
        </>
      ) : (
        <>
          {english}
          {french}
        </>
      )}
      <Select
        {...bind(step, 'category')}
        label={t('fields.category')}
        required
        placeholder={t('fields.categoryPlaceholder')}
        options={categories.map((value) => ({ value, label: words.categories[value] }))}
      />
      {hasCondition(answers.category) && (
        <Select
          {...bind(step, 'condition')}
          label={words.condition}
          hint={t('fields.conditionHint')}
          placeholder={t('fields.conditionNone')}
          options={conditions.map((value) => ({ value, label: words.conditions[value] }))}
        />
      )}
    </>
  );
}

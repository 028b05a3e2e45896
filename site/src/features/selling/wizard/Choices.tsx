import { type ReactNode, useId } from 'react';
import { Icon } from '../../../ui/Icon.tsx';
import './choices.css';

export type Choice<Value extends string | number> = {
  value: Value;
  label: ReactNode;
  note?: ReactNode;
  disabled?: boolean;
};

/** Radio group as a row of cards; the whole card is the target. */
export function Choices<Value extends string | number>({
  legend,
  name,
  hint,
  error,
  required,
  options,
  value,
  look = 'cards',
  onChoose,
}: {
  legend: string;
  name: string;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  options: readonly Choice<Value>[];
  value: Value | '';
  look?: 'cards' | 'short' | 'plates';
  onChoose: (value: Value) => void;
}) {
  const base = useId();
  const describedBy =
    [error && `${base}-error`, hint && `${base}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <fieldset
      className="choices"
      data-wrong={error ? true : undefined}
      aria-describedby={describedBy}
    >
      <legend className="field__label">
        {legend}
        {required && (
          <span className="field__mark" aria-hidden="true">
            {' *'}
          </span>
        )}
      </legend>
      {hint && (
        <p className="field__hint" id={`${base}-hint`}>
          {hint}
        </p>
      )}
      <div className={`choices__list choices__list--${look}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className="choice"
            data-chosen={option.value === value || undefined}
            data-off={option.disabled || undefined}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              required={required}
              disabled={option.disabled}
              onChange={() => onChoose(option.value)}
            />
            <span className="choice__label">{option.label}</span>
            {option.note && <span className="choice__note">{option.note}</span>}
          </label>
        ))}
      </div>
      {error && (
        <p className="field__error" id={`${base}-error`}>
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  );
}

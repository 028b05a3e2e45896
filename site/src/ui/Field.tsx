import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './Icon.tsx';
import { useEarly, useLate } from './useEarly.ts';
import '../styles/status.css';
import './field.css';

/** Characters used: '12/100'; `label` is read aloud, for example '12 of 100 characters'. */
export type Counter = { over: boolean; shown: string; label: string };

export type FieldWords = {
  label: ReactNode;
  hint?: ReactNode;
  /** The error and its remedy; marks the control invalid. */
  error?: ReactNode;
  required?: boolean;
  /** Text for fields that may stay empty, for example 'optional'. */
  optional?: string;
  counter?: Counter;
  /** A polite live region below the control; an empty string keeps the region in the page. */
  remark?: string;
  labelUnseen?: boolean;
};

type ControlProps = {
  id: string;
  required: boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

type Held = { value?: unknown; onChange?: ((event: never) => unknown) | undefined };

function Field({
  id,
  label,
  hint,
  error,
  required,
  optional,
  counter,
  remark,
  labelUnseen,
  input,
  children,
}: FieldWords & {
  id: string | undefined;
  input: Held;
  children: (control: ControlProps) => ReactNode;
}) {
  const made = useId();
  const base = id ?? made;
  useEarly(base, input.value, input.onChange);
  useLate(base, input.value);
  const describedBy =
    [error && `${base}-error`, hint && `${base}-hint`, remark && `${base}-remark`]
      .filter(Boolean)
      .join(' ') || undefined;
  return (
    <div className="field">
      <div className={labelUnseen ? 'unseen' : 'field__top'}>
        <label className="field__label" htmlFor={base}>
          {label}
          {required && (
            <span className="field__mark" aria-hidden="true">
              {' *'}
            </span>
          )}
          {optional && <span className="field__optional"> {optional}</span>}
        </label>
        {counter && (
          <span className={counter.over ? 'field__count field__count--over' : 'field__count'}>
            <span aria-hidden="true">{counter.shown}</span>
            <span className="unseen">{counter.label}</span>
          </span>
        )}
      </div>
      {hint && (
        <p className="field__hint" id={`${base}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id: base,
        required,
        'aria-describedby': describedBy,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldError id={`${base}-error`}>{error}</FieldError>
      {remark !== undefined && (
        <p className="field__remark" id={`${base}-remark`} role="status">
          {remark}
        </p>
      )}
    </div>
  );
}

function FieldError({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="field__error" id={id}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  );
}

type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Tag>,
  keyof ControlProps | 'children'
> & { id?: string };

/**
 * A text input; `before` and `after` are shown inside the box, such as a currency or country code.
 */
export function TextInput({
  label,
  hint,
  error,
  required,
  optional,
  counter,
  remark,
  labelUnseen,
  id,
  before,
  after,
  className,
  ...input
}: FieldWords & Native<'input'> & { before?: ReactNode; after?: ReactNode }) {
  return (
    <Field {...{ id, label, hint, error, required, optional, counter, remark, labelUnseen, input }}>
      {(control) =>
        before || after ? (
          <div className="input input--affixed" aria-invalid={control['aria-invalid']}>
            {before && <span className="input__affix">{before}</span>}
            <input dir="auto" {...input} {...control} className={className} />
            {after && <span className="input__affix">{after}</span>}
          </div>
        ) : (
          <input
            dir="auto"
            {...input}
            {...control}
            className={className ? `input ${className}` : 'input'}
          />
        )
      }
    </Field>
  );
}

/** A multi-line input that grows with its text where the browser can. */
export function TextArea({
  label,
  hint,
  error,
  required,
  optional,
  counter,
  remark,
  labelUnseen,
  id,
  className,
  ...area
}: FieldWords & Native<'textarea'>) {
  return (
    <Field
      {...{ id, label, hint, error, required, optional, counter, remark, labelUnseen }}
      input={area}
    >
      {(control) => (
        <textarea
          dir="auto"
          {...area}
          {...control}
          className={className ? `input ${className}` : 'input'}
        />
      )}
    </Field>
  );
}

export type SelectOption = { value: string; label: string; disabled?: boolean };

export function Select({
  label,
  hint,
  error,
  required,
  optional,
  counter,
  labelUnseen,
  id,
  options,
  placeholder,
  className,
  ...select
}: FieldWords & Native<'select'> & { options: readonly SelectOption[]; placeholder?: string }) {
  return (
    <Field {...{ id, label, hint, error, required, optional, counter, labelUnseen }} input={select}>
      {(control) => (
        <div className="select">
          <select {...select} {...control} className={className ? `input ${className}` : 'input'}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </div>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  hint,
  error,
  id,
  ...input
}: Pick<FieldWords, 'label' | 'hint' | 'error'> &
  Omit<Native<'input'>, 'type'> & { required?: boolean }) {
  const made = useId();
  const base = id ?? made;
  useEarly(base, input.checked, input.onChange);
  const describedBy =
    [error && `${base}-error`, hint && `${base}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="checkbox">
      <label className="checkbox__line">
        <input
          {...input}
          type="checkbox"
          id={base}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className="field__hint" id={`${base}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${base}-error`}>{error}</FieldError>
    </div>
  );
}

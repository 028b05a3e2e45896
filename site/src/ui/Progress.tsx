import { type ReactNode, useId } from 'react';
import '../styles/status.css';
import './progress.css';

/** Indeterminate without `value`. */
export function Progress({
  label,
  value,
  max = 100,
  text,
  tone,
}: {
  label: ReactNode;
  value?: number;
  max?: number;
  text?: ReactNode;
  tone?: 'good';
}) {
  const id = useId();
  return (
    <div className={tone ? `progress progress--${tone}` : 'progress'}>
      <div className="progress__top">
        <label htmlFor={id}>{label}</label>
        {text && <span>{text}</span>}
      </div>
      <progress id={id} value={value} max={max} />
    </div>
  );
}

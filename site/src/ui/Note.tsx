import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import '../styles/status.css';
import './note.css';

const shapes = { info: 'info', good: 'check', wait: 'clock', bad: 'warning' } as const;

export type Tone = keyof typeof shapes;

export function Note({
  tone = 'info',
  title,
  children,
  action,
}: {
  tone?: Tone;
  title?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={`note note--${tone}`}>
      <Icon name={shapes[tone]} />
      <div className="note__text">
        {title && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
      {action}
    </div>
  );
}

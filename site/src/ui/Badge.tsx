import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import '../styles/status.css';
import './badge.css';

const shapes = { plain: 'box', info: 'info', good: 'check', wait: 'clock', bad: 'close' } as const;

export type BadgeTone = keyof typeof shapes;

/** A status shown as word, colour and shape. */
export function Badge({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <span className={`badge badge--${tone}`}>
      <Icon name={icon ?? shapes[tone]} />
      {children}
    </span>
  );
}

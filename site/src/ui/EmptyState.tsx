import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import '../styles/status.css';
import './states.css';

export function EmptyState({
  title,
  children,
  icon = 'box',
  action,
}: {
  title: ReactNode;
  children?: ReactNode;
  icon?: IconName;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <div className="state__picture">
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      {children && <div className="state__text">{children}</div>}
      {action && <div className="state__actions">{action}</div>}
    </div>
  );
}

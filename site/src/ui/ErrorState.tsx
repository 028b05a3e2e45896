import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import '../styles/status.css';
import './states.css';

export type ErrorStateProps = {
  title: ReactNode;
  children?: ReactNode;
  retryLabel?: string;
  onRetry?: () => void;
  busy?: boolean;
  action?: ReactNode;
};

export function ErrorState({
  title,
  children,
  retryLabel,
  onRetry,
  busy,
  action,
}: ErrorStateProps) {
  return (
    <div className="state state--bad" role="alert">
      <div className="state__picture">
        <Icon name="warning" />
      </div>
      <h2>{title}</h2>
      {children && <div className="state__text">{children}</div>}
      <div className="state__actions">
        {onRetry && retryLabel && (
          <Button variant="primary" busy={busy} onClick={onRetry}>
            <Icon name="refresh" />
            {retryLabel}
          </Button>
        )}
        {action}
      </div>
    </div>
  );
}

import { Component, type ComponentType, createElement, type ErrorInfo, type ReactNode } from 'react';
import type { ErrorScreenProps } from './ErrorScreen.tsx';

type State = { failed: boolean; error?: unknown; info?: ErrorInfo; Screen?: ComponentType<ErrorScreenProps> };

/** The generic error screen, in place of an island that could not be rendered (product §10). What the screen is made of comes when it is needed. */
export class ErrorBoundary extends Component<{ children?: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError = (error: unknown): State => ({ failed: true, error });

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    import('./ErrorScreen.tsx').then(
      (screen) => {
        screen.tell(error);
        this.setState({ info, Screen: screen.ErrorScreen });
      },
      () => document.dispatchEvent(new Event('astro:hydration-error')),
    );
  }

  override render() {
    const { failed, error, info, Screen } = this.state;
    if (!failed) return this.props.children;
    return Screen && createElement(Screen, { error, info, onRetry: () => this.setState({ failed: false }) });
  }
}

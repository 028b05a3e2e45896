import {
  Component,
  type ComponentType,
  createElement,
  type ErrorInfo,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { ErrorScreenProps } from './ErrorScreen.tsx';

type State = {
  failed: boolean;
  error?: unknown;
  info?: ErrorInfo;
  Screen?: ComponentType<ErrorScreenProps>;
};

/**
 * Replaces an island that cannot render with the generic error screen (product §10), which it loads
 * on demand.
 */
export class ErrorBoundary extends Component<
  { children?: ReactElement<{ children?: ReactNode }> },
  State
> {
  override state: State = { failed: false };

  static getDerivedStateFromError = (error: unknown): State => ({ failed: true, error });

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    import('./ErrorScreen.tsx').then(
      (screen) => {
        screen.tell(error);
        this.setState({ info, Screen: screen.ErrorScreen });
      },
      () => window.dispatchEvent(new Event('astro:hydration-error')),
    );
  }

  override render() {
    const { failed, error, info, Screen } = this.state;
    const { children } = this.props;
    if (!failed) return children;
    // Until the screen has loaded, or if it never does, the server's HTML stays.
    return Screen
      ? createElement(Screen, { error, info, onRetry: () => this.setState({ failed: false }) })
      : children?.props.children;
  }
}

import { Component, type ComponentType, type ErrorInfo, type ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import type { ErrorScreenProps } from './ErrorScreen.tsx';

type Props = { children: ReactNode; onClose: () => void };
type State = {
  failed: boolean;
  error?: unknown;
  info?: ErrorInfo;
  Screen?: ComponentType<ErrorScreenProps>;
};

/** Not shared with ErrorBoundary.ts: that would add a file to every public page (decision 013). */
class DialogBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError = (error: unknown): State => ({ failed: true, error });

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    import('./ErrorScreen.tsx').then(
      (screen) => {
        screen.tell(error);
        this.setState({ info, Screen: screen.ErrorScreen });
      },
      () => {
        window.dispatchEvent(new Event('astro:hydration-error'));
        this.draw();
        this.props.onClose();
      },
    );
  }

  private draw = () => this.setState({ failed: false });

  override render() {
    const { failed, error, info, Screen } = this.state;
    if (!failed) return this.props.children;
    return (
      Screen && (
        <Screen
          error={error}
          info={info}
          onRetry={this.draw}
          dialog={{ Dialog, onClose: this.props.onClose }}
        />
      )
    );
  }
}

/**
 * Wraps a dialog component so that a render error shows the error screen in its place (product
 * §10); the page behind stays.
 */
export function guardDialog<Props extends { onClose: () => void }>(Content: ComponentType<Props>) {
  return function Guarded(props: Props) {
    return (
      <DialogBoundary onClose={props.onClose}>
        <Content {...props} />
      </DialogBoundary>
    );
  };
}

import { Component, type ComponentType, createElement, type ErrorInfo, type ReactElement, type ReactNode } from 'react';
import { beforeRetry } from '../lib/retry.ts';
import type { DialogProps } from './Dialog.tsx';
import type { ErrorScreenProps } from './ErrorScreen.tsx';

type Props = {
  children?: ReactElement<{ children?: ReactNode }>;
  /** Around a dialog: what the error screen is drawn in, and how it is closed. */
  dialog?: { Dialog: ComponentType<DialogProps>; onClose: () => void };
};
type State = { failed: boolean; error?: unknown; info?: ErrorInfo; Screen?: ComponentType<ErrorScreenProps> };

/** The generic error screen, in place of what could not be rendered (product §10): an island or a dialog. What the screen is made of comes when it is needed. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };
  /** It was drawn once: what failed then is something that a person was using. */
  private drawn = false;

  static getDerivedStateFromError = (error: unknown): State => ({ failed: true, error });

  override componentDidMount() {
    this.drawn = !this.state.failed;
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    import('./ErrorScreen.tsx').then(
      (screen) => {
        screen.tell(error);
        this.setState({ info, Screen: screen.ErrorScreen });
      },
      () => {
        window.dispatchEvent(new Event('astro:hydration-error'));
        if (this.props.dialog) this.close();
      },
    );
  }

  private retry = () => {
    for (const forget of beforeRetry) forget();
    this.setState({ failed: false });
  };

  private close = () => {
    this.retry();
    this.props.dialog?.onClose();
  };

  override render() {
    const { failed, error, info, Screen } = this.state;
    const { children, dialog } = this.props;
    if (!failed) return children;
    if (Screen) {
      const frame = dialog && { Dialog: dialog.Dialog, onClose: this.close };
      return createElement(Screen, { error, info, onRetry: this.retry, focus: this.drawn, ...(frame ? { frame } : {}) });
    }
    // Until the screen is here, or where it never comes, what the server wrote inside the island stands.
    return dialog ? null : children?.props.children;
  }
}

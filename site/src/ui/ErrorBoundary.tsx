import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button, ButtonLink } from './Button.tsx';
import { Icon } from './Icon.tsx';
import '../styles/status.css';
import './states.css';

export type ErrorBoundaryProps = {
  labels: { title: string; text: string; tryAgain: string; goHome: string; report: string; reported?: string };
  homeHref: string;
  /** The automatic reporter (product R41). The button 'Report this issue' never sends anything. */
  onError?: (error: Error, info: ErrorInfo) => void;
  children: ReactNode;
};
type State = { error: Error | null; info: ErrorInfo | null; reported: boolean };

const calm: State = { error: null, info: null, reported: false };

/** The generic error screen, in place of whatever could not be rendered (product §10). */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = calm;

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    this.setState({ info });
    this.props.onError?.(error, info);
  }

  report = () => {
    const { error } = this.state;
    console.error({
      message: error?.message,
      stack: error?.stack,
      userAgent: navigator.userAgent,
      url: window.location.href,
      timestamp: new Date().toISOString(),
      userId: '',
    });
    this.setState({ reported: true });
  };

  override render() {
    const { labels, homeHref, children } = this.props;
    if (!this.state.error) return children;
    return (
      <div className="state state--bad" role="alert">
        <div className="state__picture">
          <Icon name="warning" />
        </div>
        <h2>{labels.title}</h2>
        <p className="state__text">{labels.text}</p>
        <div className="state__actions">
          <Button variant="primary" onClick={() => this.setState(calm)}>
            {labels.tryAgain}
          </Button>
          <ButtonLink href={homeHref}>{labels.goHome}</ButtonLink>
          <Button variant="bare" onClick={this.report}>
            {labels.report}
          </Button>
        </div>
        {this.state.reported && labels.reported && <p className="state__text">{labels.reported}</p>}
      </div>
    );
  }
}

import type { ComponentType } from 'react';
import { Dialog } from './Dialog.tsx';
import { ErrorBoundary } from './ErrorBoundary.ts';

/** A component that draws a dialog, with the error screen in the dialog's place when it cannot be drawn (product §10): the page behind it stays. */
export function guardDialog<Props extends { onClose: () => void }>(Content: ComponentType<Props>) {
  return function Guarded(props: Props) {
    return (
      <ErrorBoundary dialog={{ Dialog, onClose: props.onClose }}>
        <Content {...props} />
      </ErrorBoundary>
    );
  };
}

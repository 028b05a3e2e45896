import { Icon } from '../../../ui/Icon.tsx';
import type { Step } from './steps.ts';
import type { Steps } from './useSteps.ts';
import './rail.css';

type Props = {
  label: string;
  steps: Steps;
  busy: boolean;
  nameOf: (step: Step) => string;
  onStep: (step: Step) => void;
};

export function Rail({ label, steps: { steps, step, order: here }, busy, nameOf, onStep }: Props) {
  return (
    <ol className="wizard__rail" aria-label={label}>
      {steps.map((name, order) => (
        <li
          key={name}
          data-done={order < here ? true : undefined}
          aria-current={name === step ? 'step' : undefined}
        >
          <span aria-hidden="true">{order < here ? <Icon name="check" /> : order + 1}</span>
          {order < here && !busy ? (
            <button type="button" onClick={() => onStep(name)}>
              {nameOf(name)}
            </button>
          ) : (
            nameOf(name)
          )}
        </li>
      ))}
    </ol>
  );
}

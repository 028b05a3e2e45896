import { useEffect, useRef, useState } from 'react';
import { steps as allSteps, type Step } from './steps.ts';

/** Current step, in the browser's history so that Back goes back a step. */
export function useSteps(steps: readonly Step[], onBack: () => void) {
  const [step, setStep] = useState<Step>('basic');
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    const back = (event: PopStateEvent) => {
      const to: unknown = event.state?.step;
      onBack();
      setStep(allSteps.find((known) => known === to) ?? 'basic');
    };
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  });

  return {
    steps,
    step,
    order: steps.indexOf(step),
    heading,
    go(to: Step, focusHeading = true) {
      if (to !== step) window.history.pushState({ step: to }, '');
      setStep(to);
      if (focusHeading) requestAnimationFrame(() => heading.current?.focus());
    },
    /** Resumes a draft's step: Back from there leaves the form. */
    resume(order: number) {
      const to = steps[order] ?? 'basic';
      setStep(to);
      window.history.replaceState({ step: to }, '');
    },
  };
}

export type Steps = ReturnType<typeof useSteps>;

import { useEffect, useRef, useState } from 'react';
import { steps as allSteps, type Step } from './steps.ts';

/**
 * Where in the form the reader is. Each step is one in the browser's history too: the phone's own Back button goes back a step.
 * @param onBack called when the browser has gone back (or forth) to another step
 */
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
    /** Goes to a step; its heading has the focus unless a wrong field shall have it. */
    go(to: Step, focusHeading = true) {
      if (to !== step) window.history.pushState({ step: to }, '');
      setStep(to);
      if (focusHeading) requestAnimationFrame(() => heading.current?.focus());
    },
    /** Goes to where a draft was left: going back from there leaves the form. */
    resume(order: number) {
      const to = steps[order] ?? 'basic';
      setStep(to);
      window.history.replaceState({ step: to }, '');
    },
  };
}

export type Steps = ReturnType<typeof useSteps>;

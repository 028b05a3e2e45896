import { useStore } from '@nanostores/react';
import { $line } from './stores.ts';
import '../../ui/lamp.css';

type Props = {
  words: { live: string; reconnecting: string };
  /** Whether there is a market to see at all. */
  lit: boolean;
};

/** The live indicator: lit while the page hears of changes, by events or by asking; it says so when the line is down. */
export default function LiveLamp({ words, lit }: Props) {
  const line = useStore($line, { ssr: 'initial' });
  const down = line === 'reconnecting';
  return (
    <span className={lit && !down ? 'lamp lamp--lit' : 'lamp'} data-line={line}>
      <svg viewBox="0 0 20 28" aria-hidden="true">
        <path d="M7 4.5a3 3 0 0 1 6 0M6 8.5h8l-1-3H7zM5 22h10l1.5 4.5h-13zM3.5 26.5V12C3.5 9 5 8 6 8M16.5 26.5V12c0-3-1.5-4-2.5-4" />
        <path className="lamp__glass" d="M7 8.5c-2.5 4-2.5 9.5-.5 13.5h7c2-4 2-9.5-.5-13.5z" />
        <path className="lamp__flame" d="M10 11.5c2.5 3 3 4.5 3 6.2a3 3 0 0 1-6 0c0-1.7.5-3.2 3-6.2z" />
      </svg>
      <span>{down ? words.reconnecting : words.live}</span>
    </span>
  );
}

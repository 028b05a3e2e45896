import { $connection, useStore } from './stores.ts';
import '../../ui/lamp.css';

type Props = {
  words: { live: string; reconnecting: string };
  /** Whether there is a market to see at all. */
  lit: boolean;
  /** The address of its drawing. */
  drawing: string;
};

/** The live indicator: lit while the page hears of changes, by events or by asking; it says so when the connection is down. */
export default function LiveLamp({ words, lit, drawing }: Props) {
  const connection = useStore($connection, 'off');
  const down = connection === 'reconnecting';
  return (
    <span className={lit && !down ? 'lamp lamp--lit' : 'lamp'} data-connection={connection}>
      <svg viewBox="0 0 20 28" aria-hidden="true">
        <use href={drawing} />
      </svg>
      <span>{down ? words.reconnecting : words.live}</span>
    </span>
  );
}

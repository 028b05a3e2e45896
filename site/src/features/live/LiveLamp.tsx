import { $connection, useStore } from './stores.ts';
import '../../ui/lamp.css';

type Props = {
  words: { live: string; reconnecting: string };
  /** The market could be read. */
  lit: boolean;
  /** Address of the SVG symbol. */
  drawing: string;
};

/** Live indicator: lit while changes arrive, by events or polling; shows a lost connection. */
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

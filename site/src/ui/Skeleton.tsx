import './skeleton.css';

/** A loading placeholder; put several into the list they replace, with one `label`. */
export function Skeleton({
  shape,
  count = 1,
  label,
}: {
  shape: 'card' | 'row' | 'line';
  count?: number;
  label?: string;
}) {
  return (
    <>
      {label && (
        <span className="unseen" role="status">
          {label}
        </span>
      )}
      {Array.from({ length: count }, (_, order) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={order} className={`skeleton skeleton--${shape}`} aria-hidden="true" />
      ))}
    </>
  );
}

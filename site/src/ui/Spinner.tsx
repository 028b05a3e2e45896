import './spinner.css';

/** A turning thread. Give it a label when nothing else says what is going on. */
export function Spinner({ label }: { label?: string }) {
  return label ? (
    <span className="spinner" role="status" aria-label={label} />
  ) : (
    <span className="spinner" aria-hidden="true" />
  );
}

import { Button, ButtonLink } from './Button.tsx';
import { Icon } from './Icon.tsx';
import './pagination.css';

export type PaginationProps = {
  page: number;
  pages: number;
  labels: { nav: string; previous: string; next: string; where: string };
  /** Give either `hrefOf` or `onPage`. */
  hrefOf?: (page: number) => string;
  onPage?: (page: number) => void;
  busy?: boolean;
};

/** Previous and next page, with the position; renders nothing for a single page. */
export function Pagination({ page, pages, labels, hrefOf, onPage, busy }: PaginationProps) {
  if (pages <= 1) return null;
  const step = (target: number, label: string, before: boolean) => {
    const face = (
      <>
        {before && <Icon name="left" />}
        {label}
        {!before && <Icon name="right" />}
      </>
    );
    const possible = target >= 1 && target <= pages;
    if (hrefOf && possible) {
      return (
        <ButtonLink href={hrefOf(target)} rel={before ? 'prev' : 'next'}>
          {face}
        </ButtonLink>
      );
    }
    return (
      <Button disabled={!possible || busy} onClick={() => onPage?.(target)}>
        {face}
      </Button>
    );
  };
  return (
    <nav className="pagination" aria-label={labels.nav}>
      {step(page - 1, labels.previous, true)}
      <span className="pagination__where" aria-live="polite">
        {labels.where}
      </span>
      {step(page + 1, labels.next, false)}
    </nav>
  );
}

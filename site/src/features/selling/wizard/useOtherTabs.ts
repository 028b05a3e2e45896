import { useEffect } from 'react';

/** Another tab has this draft: an untouched tab follows it, and none submits it twice. */
export function useOtherTabs({
  isSubmitted,
  onSubmitted,
  onStored,
}: {
  isSubmitted: () => boolean;
  onSubmitted: () => void;
  onStored: (event: StorageEvent) => void;
}): void {
  useEffect(() => {
    const heard = (event: StorageEvent) => (isSubmitted() ? onSubmitted() : onStored(event));
    // Back button after a submission: start the next product.
    const shown = (event: PageTransitionEvent) =>
      event.persisted && isSubmitted() && window.location.reload();
    window.addEventListener('storage', heard);
    window.addEventListener('pageshow', shown);
    return () => {
      window.removeEventListener('storage', heard);
      window.removeEventListener('pageshow', shown);
    };
  });
}

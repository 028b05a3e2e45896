let watching = false;

/** Replaces broken photos with a text (product §8 Images). */
export function failedPhotos(): void {
  const fail = (image: HTMLImageElement) => {
    const words = image.dataset.failed;
    if (!words) return;
    const none = document.createElement('span');
    none.className = image.closest('.stall') ? 'stall__none' : 'photo__none';
    none.textContent = words;
    (image.closest('picture') ?? image).replaceWith(none);
  };
  if (!watching)
    document.addEventListener(
      'error',
      (event) => event.target instanceof HTMLImageElement && fail(event.target),
      true,
    );
  watching = true;
  // A lazy image not yet requested is not `complete`.
  for (const image of document.querySelectorAll<HTMLImageElement>('img[data-failed]'))
    if (image.complete && image.naturalWidth === 0) fail(image);
}

/**
 * The woven band of the premium stalls: a repeat in the spirit of toghu embroidery, lozenge and crossed thread between two
 * hems. A `<pattern>` for the page's sprite; `WovenBand.astro` fills a rectangle with it.
 */
export const weave =
  '<pattern id="weave" width="36" height="18" patternUnits="userSpaceOnUse">' +
  '<path fill="var(--weave)" d="M0 0h36v18H0z"/>' +
  '<path fill="none" stroke="var(--thread)" stroke-width="1.6" d="M18 2.6 28.5 9 18 15.4 7.5 9zM-6 9l6-3.7L6 9l-6 3.7zM30 9l6-3.7L42 9l-6 3.7z"/>' +
  '<path fill="#d8401c" d="m18 5.8 5.2 3.2L18 12.2 12.8 9z"/>' +
  '<path fill="var(--stitch)" d="m18 7.7 2.1 1.3L18 10.3 15.9 9zM0 7.7 2.1 9 0 10.3zM36 7.7 33.9 9l2.1 1.3zM9 0l2.5 2.6h-5zM27 0l2.5 2.6h-5zM9 18l2.5-2.6h-5zM27 18l2.5-2.6h-5z"/>' +
  '</pattern>';

import { createHash } from 'node:crypto';
import { icons } from './icons.ts';

/**
 * Icons that the market repeats or shows below its first screen, served from a cacheable file
 * (adapter/index.ts writes it).
 */
const sharedIcons = [
  'contact',
  'share',
  'pin',
  'check',
  'clock',
  'globe',
  'system',
  'sun',
  'moon',
  'close',
] as const;
export type SharedIcon = (typeof sharedIcons)[number];

/** Storm lamp of the live indicator; lit where the page sets its colour variables (lamp.css). */
const lamp =
  '<symbol id="lamp" viewBox="0 0 20 28"><path d="M7 4.5a3 3 0 0 1 6 0M6 8.5h8l-1-3H7zM5 22h10l1.5 4.5h-13zM3.5 26.5V12C3.5 9 5 8 6 8M16.5 26.5V12c0-3-1.5-4-2.5-4"/>' +
  '<path fill="var(--glass)" d="M7 8.5c-2.5 4-2.5 9.5-.5 13.5h7c2-4 2-9.5-.5-13.5z"/>' +
  '<path fill="var(--flame)" stroke="var(--wick)" d="M10 11.5c2.5 3 3 4.5 3 6.2a3 3 0 0 1-6 0c0-1.7.5-3.2 3-6.2z"/></symbol>';

const symbols =
  sharedIcons
    .map((name) => `<symbol id="${name}" viewBox="0 0 24 24">${icons[name]}</symbol>`)
    .join('') + lamp;
const source = `<svg xmlns="http://www.w3.org/2000/svg">${symbols}</svg>`;

export const sprite = {
  source,
  path: `/_astro/icons.${createHash('sha256').update(source).digest('hex').slice(0, 8)}.svg`,
};

export const drawingAt = (name: SharedIcon | 'lamp'): string => `${sprite.path}#${name}`;

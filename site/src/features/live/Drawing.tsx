/**
 * Copies from `ui/icons.ts`: importing all costs every reader 1 KB for five.
 * tests/site/live.test.ts keeps them equal.
 */
export const drawings = {
  close: ['m5.5 5.5 13 13M18.5 5.5l-13 13'],
  check: ['m4.5 12.5 5 5 10-11'],
  left: ['M15 4.5 7.5 12l7.5 7.5'],
  right: ['m9 4.5 7.5 7.5L9 19.5'],
  contact: [
    'M3.5 20.5 5 16a8.5 8.5 0 1 1 3.3 3.1z',
    'M9.2 8.2c-.9 3.4 3.2 7.4 6.6 6.5l.5-1.7-2-1.1-1 .8c-1-.4-1.7-1.1-2.1-2.1l.8-1-1.1-1.9z',
  ],
} as const;

/** Icon for islands of public pages. */
export function Drawing({ name }: { name: keyof typeof drawings }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {drawings[name].map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}

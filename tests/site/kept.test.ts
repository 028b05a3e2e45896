import { expect, test } from 'vitest';
import { kept } from '../../site/src/lib/kept.ts';

test('a piece of HTML is kept under its name; when there are too many, the one that was not used for longest goes', () => {
  expect(kept.get('card 0')).toBeUndefined();
  for (let n = 0; n < 600; n++) kept.set(`card ${n}`, `<p>${n}</p>`);
  // An empty string is cached too.
  kept.set('card 1', '');
  expect(kept.get('card 1')).toBe('');
  expect(kept.get('card 0')).toBe('<p>0</p>');
  kept.set('one more', '<p>more</p>');
  expect(kept.get('card 0')).toBe('<p>0</p>');
  expect(kept.get('card 1')).toBe('');
  expect(kept.get('card 2')).toBeUndefined();
  expect(kept.get('card 3')).toBe('<p>3</p>');
});

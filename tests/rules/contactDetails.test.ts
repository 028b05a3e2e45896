import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contactDetailIn } from '../../api/shared/contact/contactDetails.ts';
import { source } from '../support/processes.ts';

/**
 * Texts of products as sellers write them (decision 077). The rule was written beside the first
 * file; the second was written before it too and was not used.
 */
type Texts = { contact: string[]; free: string[] };
const texts = (file: string): Texts =>
  JSON.parse(readFileSync(source(`tests/rules/productTexts/${file}.json`), 'utf8'));

test.each(['seen', 'held'])(
  'contact details are found in the %s texts and nowhere else',
  (file) => {
    const { contact, free } = texts(file);
    expect(contact.filter((text) => !contactDetailIn(text))).toEqual([]);
    expect(free.filter(contactDetailIn)).toEqual([]);
  },
);

import { describe, expect, test } from 'vitest';
import { newPost, newUpdate } from '../../api/connect/schema.ts';
import { members, purchases, reported, requests } from '../../db/seed/connect.ts';
import { incompleteListings, listings, sellers } from '../../db/seed/listings.ts';
import { pictures } from '../../db/seed/pictures/index.ts';
import { postCategories } from '../../db/vocabularies.ts';

test('every drawing of the demo is shown by a listing', () => {
  const shown = new Set(
    [...listings, ...incompleteListings].flatMap((listing) =>
      listing.pictures.map(({ name }) => name),
    ),
  );
  expect(Object.keys(pictures).filter((name) => !shown.has(name as keyof typeof pictures))).toEqual(
    [],
  );
});

describe('the demo’s requests on Connect', () => {
  const people = [...sellers, ...members];
  const keys = people.map(({ key }) => key);

  test('are of every category, in both languages, from minutes to weeks old, newest first; some closed, some without a number', () => {
    const ages = requests.map(({ minutesAgo }) => minutesAgo);
    expect(requests.length).toBeGreaterThanOrEqual(30);
    expect(new Set(requests.map(({ category }) => category))).toEqual(new Set(postCategories));
    expect(ages).toEqual(ages.toSorted((a, b) => a - b));
    expect([Math.min(...ages) < 10, Math.max(...ages) > 21 * 1440]).toEqual([true, true]);
    const languageOf = new Map(members.map(({ key, language }) => [key, language]));
    const inFrench = requests.filter(({ owner }) => languageOf.get(owner) === 'fr').length;
    expect([inFrench >= 12, requests.length - inFrench >= 12]).toEqual([true, true]);
    expect(requests.filter(({ closed }) => closed !== undefined).length).toBeGreaterThanOrEqual(3);
    expect(requests.filter(({ number }) => number === false).length).toBeGreaterThanOrEqual(2);
  });

  test('could each have been written in the form, and so could what was added', () => {
    for (const {
      title,
      description,
      category,
      city,
      region,
      location,
      budget,
      tags,
      updates = [],
    } of requests) {
      const given = {
        title,
        description,
        category,
        city,
        region,
        location,
        budgetMin: budget[0],
        budgetMax: budget[1],
        tags,
      };
      expect(newPost.safeParse(given), title).toMatchObject({
        success: true,
        data: { title, description, tags },
      });
      for (const [, type, message] of updates)
        expect(newUpdate.safeParse({ type, message }), message).toMatchObject({
          success: true,
          data: { message },
        });
    }
  });

  test('are answered by others, while they were open', () => {
    for (const {
      title,
      owner,
      minutesAgo,
      responses = [],
      updates = [],
      closed = 0,
      number,
    } of requests) {
      expect(new Set(responses.map(([member]) => member)).size, title).toBe(responses.length);
      for (const [member, ago] of responses)
        expect(
          [keys.includes(member), member !== owner, ago < minutesAgo, ago > closed],
          title,
        ).not.toContain(false);
      for (const [ago] of updates)
        expect([ago < minutesAgo, ago > closed], title).not.toContain(false);
      if (number === false) expect(responses, title).toEqual([]);
    }
    expect(
      requests.some(({ owner, title }) => owner === reported.owner && title === reported.title),
    ).toBe(true);
    expect(purchases.every(({ member }) => keys.includes(member))).toBe(true);
  });

  test('have numbers that belong to nobody, each person another one', () => {
    const numbers = people.flatMap(({ whatsapp }) => whatsapp ?? []);
    for (const number of numbers) expect(number).toMatch(/^\+237954000\d{3}$/);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

import { type Asked, type Given, queryOf } from '../../../../api/search/rules.ts';
import { searchFields } from '../../../../api/search/schema.ts';

/**
 * A search's fields in an address; a category or region of the path comes first. The API refuses
 * control characters, and much longer texts.
 */
export function givenIn({ searchParams }: URL, path: Given = {}): Given {
  const clean = (text: string) =>
    text
      .slice(0, 300)
      .replaceAll(/\p{Cc}/gu, ' ')
      .replaceAll(/\p{Cs}/gu, '');
  return Object.fromEntries(
    searchFields.flatMap((field) => {
      const text = path[field] ?? searchParams.get(field);
      return text ? [[field, clean(text)]] : [];
    }),
  );
}

/** Address of a search. Only a category, or only a region, has one of its own. */
export function searchAddress(asked: Partial<Asked>): string {
  const { category, region, page, sort: _, ...rest } = asked;
  const alone = Object.keys(rest).length === 0 && queryOf(asked).indexOf('sort=') < 0;
  if (alone && category && !region) return `/market/category/${category}${queryOf({ page })}`;
  if (alone && region && !category)
    return `/market/region/${encodeURIComponent(region)}${queryOf({ page })}`;
  return `/market${queryOf(asked)}`;
}

/** The search without one of its filters, from its first page. */
export function without(asked: Asked, field: keyof Asked): string {
  const { [field]: _, page: __, ...rest } = asked;
  return searchAddress(rest);
}

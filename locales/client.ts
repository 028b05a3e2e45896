import { isolate } from './isolate.ts';
import type { KeysOf, Params } from './keys.ts';
import type { Language } from './languages.ts';

/**
 * An island's translator for the dictionary in its props; i18next would cost each buyer 16 KB
 * (decision 008).
 */
export function clientTranslator<D extends object>(
  language: Language,
  dictionary: D,
): (key: KeysOf<D>, params?: Params) => string {
  const plural = new Intl.PluralRules(language);
  return (key, params) => {
    const sentence =
      (typeof params?.count === 'number' &&
        find(dictionary, `${key}_${plural.select(params.count)}`)) ||
      find(dictionary, key) ||
      find(dictionary, `${key}_other`);
    if (sentence === undefined) throw new Error(`No sentence for ${key}`);
    return params
      ? sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
          isolate((params[name] ?? '').toLocaleString(language)),
        )
      : sentence;
  };
}

function find(dictionary: object, path: string): string | undefined {
  let node: unknown = dictionary;
  for (const part of path.split('.'))
    node = node && typeof node === 'object' ? (node as Record<string, unknown>)[part] : undefined;
  return typeof node === 'string' ? node : undefined;
}

import type { Key, Params } from '../../locales/keys.ts';

/** Of any zod build. */
type Issue = {
  code?: string | undefined;
  message: string;
  path: readonly PropertyKey[];
  input?: unknown;
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  format?: string;
  keys?: string[];
  expected?: string;
};

/** More than any form has fields. */
const mostProblems = 30;

export type Problem = { path: string; code: Key<'validation'>; params?: Params };

/**
 * Turns zod issues into keys of `validation.json` (product §5, generic messages), for forms and API
 * alike. Schemas name a key with `error: 'phone'`; plain limits need none.
 */
export function problemsOf(
  issues: readonly Issue[],
  isKey: (key: string) => boolean = () => true,
): Problem[] {
  // The first issue per field helps most ("required" before "too short").
  const byPath = new Map<string, Problem>();
  const add = (problem: Problem) => {
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem);
  };
  for (const issue of issues) {
    const path = issue.path.map(String).join('.');
    const unknown =
      issue.code === 'unrecognized_keys' ? (issue.keys ?? []).slice(0, mostProblems) : undefined;
    if (!unknown) add({ path, ...sentence(issue, isKey) });
    for (const name of unknown ?? [])
      add({ path: path ? `${path}.${name}` : name, code: 'unknownField', params: { name } });
    if (byPath.size >= mostProblems) break;
  }
  return [...byPath.values()].slice(0, mostProblems);
}

function sentence(
  issue: Issue,
  isKey: (key: string) => boolean,
): { code: Key<'validation'>; params?: Params } {
  // zod/mini without a locale only says 'Invalid input'; one word is our key.
  if (/^[a-z][A-Za-z]*$/.test(issue.message) && isKey(issue.message)) {
    return {
      code: issue.message as Key<'validation'>,
      params: { min: Number(issue.minimum ?? 0), max: Number(issue.maximum ?? 0) },
    };
  }
  const min = Number(issue.minimum);
  const max = Number(issue.maximum);
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'string')
        return min <= 1 ? { code: 'required' } : { code: 'tooShort', params: { min } };
      return { code: 'tooSmall', params: { min } };
    case 'too_big':
      return issue.origin === 'string'
        ? { code: 'tooLong', params: { max } }
        : { code: 'tooBig', params: { max } };
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null || issue.input === '')
        return { code: 'required' };
      return issue.expected === 'int' ? { code: 'whole' } : { code: 'invalid' };
    case 'invalid_value':
      return { code: issue.input === undefined || issue.input === '' ? 'required' : 'oneOf' };
    case 'invalid_format':
      return {
        code: issue.format === 'email' ? 'email' : issue.format === 'url' ? 'url' : 'invalid',
      };
    default:
      return { code: 'invalid' };
  }
}

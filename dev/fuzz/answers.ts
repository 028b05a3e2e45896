import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { JsonSchema, OpenApi } from '../../api/docs/openapi.ts';
import { source } from '../../tests/support/processes.ts';

type Line = { name: string; schema: JsonSchema };
/** JSON answers without a typed route: those of the process itself, and the document. */
const untyped = /^GET \/(healthz|readyz|api\/openapi\.json)$/;

/**
 * Judges JSON answers by the types that the routes declare for the browser's client: a missing
 * field and an extra one are faults, so that a leaked column is found. `bun run fuzz --answers`
 * writes the file.
 */
export function answerJudge({
  components,
}: OpenApi): (name: string, status: number, body: string) => string[] {
  const lines = readFileSync(source('dev/fuzz/answers.jsonl'), 'utf8').trim().split('\n');
  const schemas = new Map(
    lines.map((line) => JSON.parse(line) as Line).map(({ name, schema }) => [name, schema]),
  );
  const read = new Map<string, z.ZodType>();
  function judgeOf(name: string, schema: JsonSchema): z.ZodType {
    const known = read.get(name) ?? z.fromJSONSchema(schema as never);
    read.set(name, known);
    return known;
  }
  return (name, status, body) => {
    const refused = status >= 400;
    const schema = refused ? components.schemas.Error : schemas.get(name);
    if (!schema)
      return untyped.test(name)
        ? []
        : [
            'answers with JSON and declares no type of it: bun run fuzz --answers reads the types anew',
          ];
    const { error } = judgeOf(refused ? 'Error' : name, schema).safeParse(JSON.parse(body));
    if (!error) return [];
    const [first] = error.issues;
    return [`is not of its type: ${first?.path.join('.')} ${first?.message}`];
  };
}

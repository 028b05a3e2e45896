import { dirname } from 'node:path';
import ts from 'typescript';
import type { JsonSchema } from '../../api/docs/openapi.ts';
import { source } from '../../tests/support/processes.ts';

/** Typed routes, as the browser's client sees them, by mount point. */
const routes = `
import type { ExtractSchema } from 'hono/types';
import type { Api } from '../../api/app.ts';
import type { demoForms } from '../../api/demo/forms.ts';
import type { telegramWebhook } from '../../bot/transports/telegram/webhook.ts';
import type { cloudWebhook } from '../../bot/transports/whatsapp/cloud/webhook.ts';
export type Routes = {
  '/api': ExtractSchema<Api>;
  '/bot': ExtractSchema<ReturnType<typeof telegramWebhook>> & ExtractSchema<ReturnType<typeof cloudWebhook>>;
  '': ExtractSchema<typeof demoForms>;
};`;

/** The types of all JSON answers, read from the routes: one line with operation and schema each. */
export function answerLines(): string[] {
  const file = source('dev/fuzz/routes.ts');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(source('tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    dirname(source('tsconfig.json')),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, routes, ts.ScriptTarget.Latest, true)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const read = program.getSourceFile(file)?.statements.find(ts.isTypeAliasDeclaration);
  if (!read) throw new Error('The routes could not be read');

  const parts = (type: ts.Type) => (type.isUnion() ? type.types : [type]);
  const members = (type: ts.Type) =>
    checker
      .getPropertiesOfType(type)
      .map((part) => ({ name: part.name, part, type: checker.getTypeOfSymbol(part) }));
  const member = (type: ts.Type, name: string) =>
    members(type).find((one) => one.name === name)?.type;

  const notInJson = ts.TypeFlags.Undefined | ts.TypeFlags.ESSymbolLike | ts.TypeFlags.BigIntLike;
  /** A recursive type (any JSON) accepts anything. */
  const within = new Set<ts.Type>();
  function schemaOf(type: ts.Type): JsonSchema {
    if (within.has(type) || within.size > 20) return {};
    within.add(type);
    const schema = readSchema(type);
    within.delete(type);
    return schema;
  }
  function readSchema(type: ts.Type): JsonSchema {
    const { flags } = type;
    if (type.isUnion()) {
      const options = type.types.filter((one) => !(one.flags & notInJson)).map(schemaOf);
      const values = options.filter((one) => one.const !== undefined).map((one) => one.const);
      const others = options.filter((one) => one.const === undefined);
      const all = [...(values.length ? [{ enum: values.sort() }] : []), ...others];
      return all.length === 1 && all[0] ? all[0] : { anyOf: all };
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { const: checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (checker.isTupleType(type)) return { type: 'array' };
    if (checker.isArrayType(type))
      return {
        type: 'array',
        items: schemaOf(checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type),
      };
    const named = members(type).filter((one) => !(one.type.flags & ts.TypeFlags.Never));
    const more = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      properties: Object.fromEntries(named.map((one) => [one.name, schemaOf(one.type)])),
      required: named
        // JSON leaves out what is undefined.
        .filter(
          ({ part, type: own }) =>
            !(part.flags & ts.SymbolFlags.Optional) &&
            !parts(own).some((one) => one.flags & ts.TypeFlags.Undefined),
        )
        .map(({ name }) => name),
      additionalProperties: more ? schemaOf(more.type) : false,
    };
  }

  const lines = members(checker.getTypeAtLocation(read.name)).flatMap((mount) =>
    members(mount.type).flatMap((path) =>
      members(path.type).flatMap((method) => {
        const answers = parts(method.type).filter(
          (answer) =>
            checker.typeToString(member(answer, 'outputFormat') ?? method.type) === '"json"',
        );
        const [first, ...others] = answers
          .flatMap((answer) => member(answer, 'output') ?? [])
          .map(schemaOf);
        if (!first) return [];
        const name = `${method.name.slice(1).toUpperCase()} ${mount.name}${path.name.replaceAll(/:(\w+)/g, '{$1}')}`;
        return [
          JSON.stringify({ name, schema: others.length ? { anyOf: [first, ...others] } : first }),
        ];
      }),
    ),
  );
  return [...new Set(lines)].sort();
}

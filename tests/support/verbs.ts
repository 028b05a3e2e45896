import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { repositoryFiles, textOf } from './repository.ts';

type Func = {
  file: string;
  line: number;
  name: string;
  exported: boolean;
  parameter: string | undefined;
  first: string;
  uses: ReadonlySet<string>;
  writes: boolean;
};
type Source = {
  functions: Map<string, Func>;
  imports: Map<string, { from: string; name: string }>;
};
export type Verb = Pick<Func, 'file' | 'line' | 'name'> & { checked: boolean };

const entry =
  /^api\/(?:.+\/)?(?:routes|forms|\w+Routes|\w+Forms)\.ts$|^bot\/conversation\/|^jobs\/schedule\.ts$/;
const check = /^(?:const [^=]+ = )?(?:await )?(?:require[A-Z]\w*\(ctx\b|admit\(ctx\.actor,)/;
const openToAll = /^openToEveryone\(ctx\);/;

/**
 * The verbs of the API: exported functions that take the acting person's context as `ctx`, write to
 * the database directly or through what they call, and are offered by an entry point (routes,
 * forms, the bot's conversation, the timetable of jobs) or check access themselves. Parts of verbs
 * take an open transaction as `tx`. Counting an attempt against a limit is no write.
 */
export function verbsIn(
  files: readonly string[] = repositoryFiles.filter((file) =>
    /^(?:api|bot|jobs)\/.*\.ts$/.test(file),
  ),
  read = textOf,
): Verb[] {
  const sources = new Map(files.map((file) => [file, sourceOf(file, read(file))]));
  spreadWrites(sources);
  const offered = new Set<Func | undefined>();
  for (const [file, { imports }] of sources)
    if (entry.test(file))
      for (const { from, name } of imports.values())
        offered.add(sources.get(from)?.functions.get(name));
  return [...sources].flatMap(([file, { functions }]) =>
    [...functions.values()].flatMap((func) => {
      const { line, name, exported, parameter, first, writes } = func;
      const verb = file.startsWith('api/') && !entry.test(file) && exported && writes;
      const checked = check.test(first) || openToAll.test(first);
      if (!verb || parameter !== 'ctx' || !(offered.has(func) || checked)) return [];
      return [{ file, line, name, checked }];
    }),
  );
}

function sourceOf(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const functions: Source['functions'] = new Map();
  const imports: Source['imports'] = new Map();
  const add = (node: ts.Statement, name: string, func: ts.FunctionLikeDeclaration): void => {
    const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
    const { body } = func;
    functions.set(name, {
      file,
      line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      name,
      exported: modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
      parameter: func.parameters[0]?.name.getText(),
      first: (body && ts.isBlock(body) ? body.statements[0] : body)?.getText() ?? '',
      ...readingOf(func),
    });
  };
  for (const node of tree.statements) {
    if (ts.isFunctionDeclaration(node) && node.name) add(node, node.name.text, node);
    if (ts.isVariableStatement(node))
      for (const { name, initializer } of node.declarationList.declarations)
        if (initializer && ts.isArrowFunction(initializer)) add(node, name.getText(), initializer);
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue;
    const named = node.importClause?.namedBindings;
    if (named && ts.isNamedImports(named))
      for (const { name, propertyName } of named.elements)
        imports.set(name.text, {
          from: join(dirname(file), node.moduleSpecifier.text),
          name: (propertyName ?? name).text,
        });
  }
  return { functions, imports };
}

/** Names that a function mentions, and whether it changes rows or calls better-auth itself. */
function readingOf(func: ts.Node): Pick<Func, 'uses' | 'writes'> {
  const uses = new Set<string>();
  let writes = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) uses.add(node.text);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const of = node.expression.expression.getText();
      const method = node.expression.name.text;
      writes ||= /\bauth\.api$/.test(of);
      writes ||= /\bdb$/.test(of) && /^(?:insert|update|delete|transaction)$/.test(method);
    }
    node.forEachChild(visit);
  };
  visit(func);
  return { uses, writes };
}

/** Marks functions that write through another function, of the same file or imported. */
function spreadWrites(sources: ReadonlyMap<string, Source>): void {
  const called = ({ functions, imports }: Source, name: string): Func | undefined => {
    const { from = '', name: there = '' } = imports.get(name) ?? {};
    return functions.get(name) ?? sources.get(from)?.functions.get(there);
  };
  const writes = (func: Func | undefined) => func?.writes && func.file !== 'api/core/limits.ts';
  for (let found = true; found; ) {
    found = false;
    for (const source of sources.values())
      for (const func of source.functions.values())
        if (!func.writes && [...func.uses].some((name) => writes(called(source, name))))
          found = func.writes = true;
  }
}

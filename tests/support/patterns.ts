import ts from 'typescript';
import { repositoryFiles, textOf } from './repository.ts';

type Pattern = { file: string; line: number; pattern: string; flags: string };
type Composed = { file: string; line: number; written: string };

const meetsOthersText =
  /^(?:api|bot|jobs|db|locales|site\/adapter|site\/src)\/.*\.(?:ts|tsx|astro)$/;

/** Lists every regular expression of production code, pages and their scripts included. */
export function patternsIn(
  files: readonly string[] = repositoryFiles.filter((file) => meetsOthersText.test(file)),
  read = textOf,
) {
  const patterns: Pattern[] = [];
  const composed: Composed[] = [];
  for (const file of files) {
    const text = read(file);
    if (!text.includes('/') && !text.includes('RegExp')) continue;
    for (const part of file.endsWith('.astro') ? partsOf(text) : [text])
      collect(file, part, patterns, composed);
  }
  return { patterns, composed };
}

/** Code parts of a page, each with the rest blanked so that line numbers stay. */
function partsOf(page: string): string[] {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
  const code = /^---\n[\s\S]*?\n---|<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g;
  const parts: string[] = [];
  let template = page;
  for (const { 0: part, 1: tag, index } of page.matchAll(code)) {
    template = template.slice(0, index) + blank(part) + template.slice(index + part.length);
    const inner = tag
      ? part.replace(/^<[^>]*>/, blank).replace(/<\/\w+>$/, blank)
      : part.replaceAll('---', '   ');
    if (tag !== 'style') parts.push(blank(page.slice(0, index)) + inner);
  }
  return [...parts, `<>${template}</>`];
}

function collect(file: string, text: string, patterns: Pattern[], composed: Composed[]): void {
  const tree = ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.TSX,
  );
  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      patterns.push({
        file,
        line: lineOf(node),
        pattern: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isComposed(node))
      composed.push({ file, line: lineOf(node), written: onOneLine(node.getText()) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

function isComposed(node: ts.NewExpression | ts.CallExpression): boolean {
  const called = node.expression;
  if (ts.isIdentifier(called)) return called.text === 'RegExp';
  const [first] = node.arguments ?? [];
  if (!ts.isPropertyAccessExpression(called) || !first) return false;
  return (
    ['match', 'matchAll', 'search'].includes(called.name.text) &&
    (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))
  );
}

const onOneLine = (text: string): string =>
  text
    .replaceAll(/\(\n +/g, '(')
    .replaceAll(/,\n *\)/g, ')')
    .replaceAll(/\n +/g, ' ');

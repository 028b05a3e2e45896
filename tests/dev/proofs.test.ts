import { expect, test } from 'vitest';
import { proofs } from '../proofs/list.ts';
import { repositoryFiles, textOf } from '../support/repository.ts';

test('each proof has its line in the list', () => {
  const files = repositoryFiles.filter((file) => /^tests\/proofs\/.*\.test\.ts$/.test(file));
  expect(files).toEqual(Object.keys(proofs).map((name) => `tests/proofs/${name}.test.ts`));
});

test('a proof needs each program that it looks up', () => {
  for (const [name, { needs = [] }] of Object.entries(proofs)) {
    const text = textOf(`tests/proofs/${name}.test.ts`);
    const lookedUp = [...text.matchAll(/pathOf\('([^']+)'\)/g)].map(([, program]) => program);
    expect(lookedUp.filter((program) => !needs.some((one) => one === program))).toEqual([]);
  }
});

test('docs/programs.md shows which proofs look at what', () => {
  const of = new Map<string, string[]>();
  for (const [name, { subject }] of Object.entries(proofs))
    for (const path of subject) of.set(path, [...(of.get(path) ?? []), `\`${name}\``]);
  const rows = [...of].sort().map(([path, names]) => `| \`${path}\` | ${names.join(', ')} |\n`);
  expect(textOf('docs/programs.md')).toContain(`|---|---|\n${rows.join('')}`);
  for (const path of of.keys())
    expect(repositoryFiles.some((file) => file === path || file.startsWith(`${path}/`))).toBe(true);
});

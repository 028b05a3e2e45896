import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const root = new URL('../..', import.meta.url).pathname;
export const reportFile = `${root}.vitest/report.json`;

export type Report = {
  passed: number;
  failed: number;
  /** Tests that were left out. */
  skipped: string[];
  /** Tests that passed or failed only after another try, with the first reason. */
  repeated: string[];
  /** By path: whether all of it passed, and its seconds with its imports. */
  files: Record<string, { passed: boolean; seconds: number }>;
};

/** Writes what `bun run test` and `bun run proofs` say at their end. */
export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const report: Report = { passed: 0, failed: 0, skipped: [], repeated: [], files: {} };
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      report.files[file] = {
        passed: module.ok(),
        seconds: (setupDuration + collectDuration + duration) / 1000,
      };
      let failed = 0;
      for (const test of module.children.allTests()) {
        const name = `${file} > ${test.fullName}`;
        const { state, errors } = test.result();
        if (test.diagnostic()?.retryCount)
          report.repeated.push(
            `${name}: ${errors?.[0]?.message.replaceAll(/\s+/g, ' ').slice(0, 600)}`,
          );
        if (state === 'passed') report.passed++;
        else if (state === 'failed') failed++;
        else report.skipped.push(name);
      }
      // A file that could not be loaded, or whose hook failed, has failed without a failed test.
      report.failed += failed || (module.ok() ? 0 : 1);
    }
    mkdirSync(dirname(reportFile), { recursive: true });
    writeFileSync(reportFile, JSON.stringify(report, undefined, 1));
  }
}

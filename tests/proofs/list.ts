import type { Program } from '../../dev/programs.ts';

/** A proof: what it looks at, as docs/programs.md shows it, and what the machine must have. */
export type Proof = {
  subject: readonly string[];
  needs?: readonly Program[];
  /** A disk of its own, which not every account and container may mount. */
  mounts?: true;
};

/** Proofs by the name of their file. `bun run proofs` runs them, `bun run test` does not. */
export const proofs: Readonly<Record<string, Proof>> = {
  age: { subject: ['api/backup'], needs: ['age'] },
  alertRules: { subject: ['deploy/prometheus'], needs: ['promtool'] },
  damaged: { subject: ['api/backup', 'db'] },
  day: { subject: ['api', 'db', 'jobs'] },
  embedded: { subject: ['db'] },
  floor: { subject: ['site'], needs: ['QtWebEngineProcess', 'xvfb-run'] },
  fronts: { subject: ['deploy'], needs: ['caddy', 'curl', 'nginx', 'openssl'] },
  fullDisk: { subject: ['api/backup', 'api/uploads', 'db'], needs: ['unshare'], mounts: true },
  fuzz: { subject: ['api'] },
  language: { subject: ['locales', 'site'] },
  machines: { subject: ['api', 'db', 'jobs'] },
  money: { subject: ['api/payments', 'dev/money'] },
  pooler: { subject: ['db', 'deploy'], needs: ['pgbouncer'] },
  rare: { subject: ['api/auth', 'api/credits', 'api/payments', 'api/queue', 'api/slots', 'bot'] },
  release: { subject: ['dev'], needs: ['git'] },
  runbook: {
    subject: ['api/backup', 'api/commands', 'docs/runbook'],
    needs: ['curl', 'setpriv'],
  },
  several: {
    subject: ['deploy', 'docs/runbook'],
    needs: ['caddy', 'curl', 'nginx', 'openssl', 'rsync', 'unshare'],
    mounts: true,
  },
  slowUpload: { subject: ['api/uploads'] },
  storm: { subject: ['api', 'db'] },
  units: { subject: ['deploy'], needs: ['systemd-analyze'] },
};

import type { Key, Params } from '../../locales/keys.ts';
import type { HealthStatus } from './rules.ts';

type HealthKey<K> = K extends `health.${string}` ? K : never;
/** Specified messages are in errors.json, others in admin/health.json. */
export type HealthCode = `errors:${HealthKey<Key<'errors'>>}` | `admin:${HealthKey<Key<'admin'>>}`;
export type Finding = { status: HealthStatus; code: HealthCode; params?: Params };

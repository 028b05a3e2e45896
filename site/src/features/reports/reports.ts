import type { InferResponseType } from 'hono/client';
import type { reportReasons } from '../../../../db/vocabularies.ts';
import type { ApiClient } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { ReportWords } from './words.ts';

export type Reason = (typeof reportReasons)[number];
export type Reported = InferResponseType<
  ApiClient['admin']['reports']['$get'],
  200
>['products'][number];
export type Closed = InferResponseType<
  ApiClient['admin']['reports']['closed']['$get'],
  200
>['closed'][number];
export type ReportsScreen = AdminScreen<ReportWords>;

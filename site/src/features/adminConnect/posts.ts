import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { PostWords } from './words.ts';

type Posts = ApiClient['admin']['connect']['posts'];
export type AdminPost = InferResponseType<Posts['$get'], 200>['posts'][number];
export type PostsScreen = AdminScreen<PostWords>;
export type Asking = { about: 'hide' | 'unhide' | 'resolve'; post: AdminPost };

import { walkTheWholePath } from './walk.ts';

walkTheWholePath('en');

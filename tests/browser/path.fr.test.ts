import { walkTheWholePath } from './walk.ts';

walkTheWholePath('fr');

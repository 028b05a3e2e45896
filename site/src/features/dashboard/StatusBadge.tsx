import { Badge } from '../../ui/Badge.tsx';
import type { DashboardScreen } from './words.ts';

type Status = 'healthy' | 'warning' | 'error';
const tones = { healthy: 'good', warning: 'wait', error: 'bad' } as const;

/** Health status in word, colour and shape. */
export const StatusBadge = ({ status, t }: { status: Status; t: DashboardScreen['t'] }) => (
  <Badge tone={tones[status]} icon={status === 'warning' ? 'warning' : undefined}>
    {t(`system.status.${status}`)}
  </Badge>
);

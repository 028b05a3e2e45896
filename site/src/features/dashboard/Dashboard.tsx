import { useState } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import { Integrity } from './Integrity.tsx';
import { Overview } from './Overview.tsx';
import { SystemHealth } from './SystemHealth.tsx';
import { isTab, type TabName } from './tabs.ts';
import './dashboard.css';
import type { DashboardLinks, DashboardWords } from './words.ts';

type DashboardProps = AdminScreenProps<DashboardWords> & {
  tab: TabName;
  links: DashboardLinks;
  /** Id of a product just corrected; the report offers to recheck it. */
  corrected?: string | undefined;
};

/**
 * Admin dashboard (product §2): Overview, Data Integrity and System Health; the tab is in the
 * address.
 */
export default function Dashboard({ tab: first, links, corrected, ...props }: DashboardProps) {
  const screen = useAdminScreen(props);
  const [tab, setTab] = useState<TabName>(first);
  const { t } = screen;

  const select = (id: string) => {
    if (!isTab(id)) return;
    setTab(id);
    const here = new URL(window.location.href);
    if (id === 'overview') here.searchParams.delete('tab');
    else here.searchParams.set('tab', id);
    window.history.replaceState(window.history.state, '', here);
  };

  return (
    <Tabs
      label={t('tabs.label')}
      selected={tab}
      onSelect={select}
      tabs={[
        {
          id: 'overview',
          label: t('tabs.overview'),
          panel: <Overview screen={screen} links={links} onHealth={() => select('health')} />,
        },
        {
          id: 'integrity',
          label: t('tabs.integrity'),
          panel: <Integrity screen={screen} links={links} corrected={corrected} />,
        },
        { id: 'health', label: t('tabs.health'), panel: <SystemHealth screen={screen} /> },
      ]}
    />
  );
}

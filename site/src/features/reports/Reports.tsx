import { useState } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import { type Asked, keepInAddress } from '../admin/address.ts';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import { ClosedReports } from './ClosedReports.tsx';
import { DataRequests } from './DataRequests.tsx';
import { OpenReports } from './OpenReports.tsx';
import { ShopReports } from './ShopReports.tsx';
import './reports.css';
import type { ReportWords } from './words.ts';

export type ReportsProps = AdminScreenProps<ReportWords> & { asked: Asked };

/** Reported listings (product R27), open and closed, and reported shops (product R50). */
export default function Reports({ asked, ...props }: ReportsProps) {
  const screen = useAdminScreen(props);
  const { t } = screen;
  const [tab, setTab] = useState(
    ['closed', 'shops', ...(screen.isAdmin ? ['data'] : [])].includes(asked.tab ?? '')
      ? (asked.tab ?? 'open')
      : 'open',
  );
  return (
    <Tabs
      label={t('sections')}
      selected={tab}
      onSelect={(id) => {
        setTab(id);
        keepInAddress({ tab: id === 'open' ? '' : id, page: 1, reason: '' });
      }}
      tabs={[
        {
          id: 'open',
          label: t('open'),
          panel: <OpenReports screen={screen} asked={asked.tab ? {} : asked} />,
        },
        { id: 'shops', label: t('shops'), panel: <ShopReports screen={screen} /> },
        { id: 'closed', label: t('closed'), panel: <ClosedReports screen={screen} /> },
        ...(screen.isAdmin
          ? [
              {
                id: 'data',
                label: t('data.title'),
                panel: <DataRequests screen={screen} words={props.words} />,
              },
            ]
          : []),
      ]}
    />
  );
}

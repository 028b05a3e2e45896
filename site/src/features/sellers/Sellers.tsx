import { useState } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import { type Asked, keepInAddress } from '../admin/address.ts';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import { Barred } from './Barred.tsx';
import { SellerList } from './SellerList.tsx';
import './sellers.css';
import type { SellerWords } from './words.ts';

export type SellersProps = AdminScreenProps<SellerWords> & { asked: Asked };

/** Seller management (product §2 /admin/users): sellers, and barred addresses (product R20). */
export default function Sellers({ asked, ...props }: SellersProps) {
  const screen = useAdminScreen(props);
  const { t } = screen;
  const [tab, setTab] = useState(asked.tab === 'barred' ? 'barred' : 'sellers');
  return (
    <Tabs
      label={t('sections.label')}
      selected={tab}
      onSelect={(id) => {
        setTab(id);
        keepInAddress({ tab: id === 'barred' ? id : '', page: 1, search: '' });
      }}
      tabs={[
        {
          id: 'sellers',
          label: t('sections.sellers'),
          panel: <SellerList screen={screen} asked={asked.tab === 'barred' ? {} : asked} />,
        },
        { id: 'barred', label: t('sections.barred'), panel: <Barred screen={screen} /> },
      ]}
    />
  );
}

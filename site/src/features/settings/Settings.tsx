import { useState } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import { type Asked, keepInAddress } from '../admin/address.ts';
import { type DeskProps, useDesk } from '../admin/desk.tsx';
import { Fees } from './Fees.tsx';
import { SettingForms } from './SettingForms.tsx';
import './settings.css';
import type { SettingWords } from './words.ts';

export type SettingsProps = DeskProps<SettingWords> & { asked: Asked };

/** What the operator can set (decision 32), and the listing fees that follow from it (decision 31). */
export default function Settings({ asked, ...props }: SettingsProps) {
  const desk = useDesk(props);
  const { t } = desk;
  const [tab, setTab] = useState(asked.tab === 'fees' ? 'fees' : 'settings');
  const choose = (id: string) => {
    setTab(id);
    keepInAddress({ tab: id === 'fees' ? id : '', state: '', page: 1 });
  };
  return (
    <Tabs
      label={t('sections.label')}
      selected={tab}
      onSelect={choose}
      tabs={[
        { id: 'settings', label: t('sections.settings'), panel: <SettingForms desk={desk} words={props.words} onFees={() => choose('fees')} /> },
        { id: 'fees', label: t('sections.fees'), panel: <Fees desk={desk} asked={asked.tab === 'fees' ? asked : {}} /> },
      ]}
    />
  );
}

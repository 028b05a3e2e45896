import { useState } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import { type Asked, keepInAddress } from '../admin/address.ts';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import { Fees } from './Fees.tsx';
import { LegalTexts } from './LegalTexts.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { SettingForms } from './SettingForms.tsx';
import { Team } from './Team.tsx';
import { TestMessages } from './TestMessages.tsx';
import './settings.css';
import type { SettingWords } from './words.ts';

export type SettingsProps = AdminScreenProps<SettingWords> & { asked: Asked };

const sections = ['settings', 'legal', 'fees', 'team', 'test', 'factor'] as const;

/**
 * Settings (product R32), the operator's own terms, listing fees (product R31), the team (product
 * R60), test messages, and the own second factor.
 */
export default function Settings({ asked, ...props }: SettingsProps) {
  const screen = useAdminScreen(props);
  const { t } = screen;
  const [tab, setTab] = useState(sections.find((known) => known === asked.tab) ?? 'settings');
  const choose = (id: string) => {
    setTab(sections.find((known) => known === id) ?? 'settings');
    keepInAddress({ tab: id === 'settings' ? '' : id, state: '', page: 1 });
  };
  // A moderator's settings are the own second factor alone.
  if (!screen.isAdmin) return <SecondFactor screen={screen} words={props.words} />;
  return (
    <Tabs
      label={t('sections.label')}
      selected={tab}
      onSelect={choose}
      tabs={[
        {
          id: 'settings',
          label: t('sections.settings'),
          panel: <SettingForms screen={screen} words={props.words} onFees={() => choose('fees')} />,
        },
        {
          id: 'legal',
          label: t('sections.legal'),
          panel: <LegalTexts screen={screen} words={props.words} />,
        },
        {
          id: 'fees',
          label: t('sections.fees'),
          panel: <Fees screen={screen} asked={asked.tab === 'fees' ? asked : {}} />,
        },
        { id: 'team', label: t('sections.team'), panel: <Team screen={screen} /> },
        { id: 'test', label: t('sections.test'), panel: <TestMessages screen={screen} /> },
        {
          id: 'factor',
          label: t('sections.factor'),
          panel: <SecondFactor screen={screen} words={props.words} />,
        },
      ]}
    />
  );
}

import { useState } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import { type Asked, keepInAddress } from '../admin/address.ts';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import { Journal } from './Journal.tsx';
import { Members } from './Members.tsx';
import { Purchases } from './Purchases.tsx';
import './credits.css';
import type { CreditWords } from './words.ts';

export type CreditsProps = AdminScreenProps<CreditWords> & { asked: Asked };

const tabs = ['purchases', 'journal', 'members'];

/**
 * Credit purchases, with cash settled by admins (product R38), and members' ledgers (product R36).
 */
export default function Credits({ asked, ...props }: CreditsProps) {
  const screen = useAdminScreen(props);
  const { t } = screen;
  const { validation } = props.words;
  const [{ tab, at }, setShown] = useState({
    tab: tabs.find((one) => one === asked.tab) ?? 'purchases',
    at: asked,
  });
  const show = (next: string, member?: number) => {
    const there: Asked = { ...(member === undefined ? {} : { member: String(member) }) };
    setShown({ tab: next, at: there });
    keepInAddress({
      tab: next === 'purchases' ? '' : next,
      status: '',
      page: 1,
      search: '',
      member,
    });
  };
  return (
    <Tabs
      label={t('sections')}
      selected={tab}
      onSelect={(id) => show(id)}
      tabs={[
        {
          id: 'purchases',
          label: t('purchases'),
          panel: (
            <Purchases
              screen={screen}
              validation={validation}
              asked={at}
              onMember={(member) => show('members', member)}
            />
          ),
        },
        { id: 'journal', label: t('journal.title'), panel: <Journal screen={screen} /> },
        {
          id: 'members',
          label: t('members'),
          panel: <Members screen={screen} validation={validation} asked={at} />,
        },
      ]}
    />
  );
}

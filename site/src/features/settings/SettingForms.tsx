import { Fragment } from 'react';
import {
  type SettingGroupName,
  settingGroups,
  settingNames,
  settingSchemas,
} from '../../../../api/settings/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead, useLiveUpdates } from '../admin/screen.ts';
import { MarkPanel } from './MarkPanel.tsx';
import { SettingField } from './SettingField.tsx';
import { SettingGroup } from './SettingGroup.tsx';
import type { SettingsScreen } from './values.ts';
import type { SettingWords } from './words.ts';

const namesIn = (group: SettingGroupName) =>
  settingNames.filter((name) => settingSchemas[name].group === group);

/** All settings, in groups that are saved separately, as in `settingSchemas`. */
export function SettingForms({
  screen,
  words,
  onFees,
}: {
  screen: SettingsScreen;
  words: SettingWords;
  onFees: () => void;
}) {
  const { t, common, api, send, invalidate } = screen;
  const read = useAdminRead(screen, ['settings'], () => send(api.admin.settings.$get()));
  useLiveUpdates(['settings'], () => invalidate('settings'));
  const texts: Partial<Record<SettingGroupName, string>> = {
    colours: words.fields.colours.hint,
    words: t('words.text'),
    payees: t('payees.text'),
    limits: t('limits.text'),
  };
  return (
    <ReadState
      read={read}
      loading={t('loading')}
      failed={t('loadFailed')}
      retry={common('retry')}
      shape="card"
      count={3}
    >
      {({ settings: shown, mark }) => (
        <div className="settings">
          {settingGroups.map((group) => {
            const names = namesIn(group);
            return (
              <Fragment key={group}>
                <SettingGroup
                  {...{ screen, words, shown, names }}
                  title={t(`${group}.title`)}
                  text={texts[group]}
                >
                  {(fields) => (
                    <>
                      <div className={names.length > 1 ? 'columns' : undefined}>
                        {names.map((name) => (
                          <SettingField key={name} {...{ name, t, words }} {...fields} />
                        ))}
                      </div>
                      {group === 'fees' && <Button onClick={onFees}>{t('fees.toList')}</Button>}
                    </>
                  )}
                </SettingGroup>
                {group === 'market' && <MarkPanel {...{ screen, mark }} />}
              </Fragment>
            );
          })}
        </div>
      )}
    </ReadState>
  );
}

import { contactLimitNames } from '../../../../api/contact/rules.ts';
import type { SettingName } from '../../../../api/settings/schema.ts';
import { unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { ReadState, useNews, useRead } from '../admin/desk.tsx';
import { PayeeFields } from './PayeeFields.tsx';
import { type Fields, SettingGroup } from './SettingGroup.tsx';
import type { SettingsDesk } from './values.ts';
import type { SettingWords } from './words.ts';

/** Every setting, in groups that are saved one by one. */
export function SettingForms({ desk, words, onFees }: { desk: SettingsDesk; words: SettingWords; onFees: () => void }) {
  const { t, d, api, client } = desk;
  const read = useRead(['settings'], () => unwrap(api.admin.settings.$get(), d('connection')), desk);
  useNews(['settings'], () => client.invalidateQueries({ queryKey: ['settings'] }));
  return (
    <ReadState read={read} loading={t('loading')} failed={t('loadFailed')} retry={d('retry')} shape="card" count={3}>
      {({ settings: shown }) => {
        const group = { desk, words, shown };
        return (
          <div className="settings">
            <SettingGroup {...group} title={t('operator.title')} names={['contactNumber']}>
              {({ typed, set, error, busy }) => (
                <TextInput
                  label={t('operator.whatsapp')}
                  hint={`${t('operator.whatsappHint')} ${t('contactFormat')}`}
                  type="tel"
                  inputMode="tel"
                  autoComplete="off"
                  maxLength={30}
                  error={error('contactNumber')}
                  value={typed('contactNumber') as string}
                  readOnly={busy}
                  onChange={(event) => set('contactNumber')(event.target.value)}
                />
              )}
            </SettingGroup>
            <SettingGroup {...group} title={t('stats.title')} names={['statsMeasured']}>
              {(fields) => <StatsChoice t={t} {...fields} />}
            </SettingGroup>
            <SettingGroup {...group} title={t('fees.title')} names={['trackFees']}>
              {({ typed, set, busy }) => (
                <>
                  <Checkbox
                    label={t('fees.track')}
                    hint={t('fees.trackHint')}
                    checked={typed('trackFees') as boolean}
                    disabled={busy}
                    onChange={(event) => set('trackFees')(event.target.checked)}
                  />
                  <Button onClick={onFees}>{t('fees.toList')}</Button>
                </>
              )}
            </SettingGroup>
            <SettingGroup {...group} title={t('payees.title')} text={t('payees.text')} names={['payees']}>
              {(fields) => <PayeeFields t={t} {...fields} />}
            </SettingGroup>
            <SettingGroup {...group} title={t('limits.title')} text={t('limits.text')} names={contactLimitNames}>
              {(fields) => (
                <div className="columns">
                  <Whole {...fields} name="contactPerHour" label={t('limits.perHour')} />
                  <Whole {...fields} name="contactPerDay" label={t('limits.perDay')} />
                  <Whole {...fields} name="contactPerAddressPerHour" label={t('limits.perAddress')} hint={t('limits.perAddressHint')} />
                  <Whole {...fields} name="contactNewcomersFree" label={t('limits.newcomersFree')} hint={t('limits.newcomersFreeHint')} />
                  <Whole {...fields} name="contactNewcomersPerHour" label={t('limits.newcomers')} hint={t('limits.newcomersHint')} />
                  <Whole {...fields} name="contactQuestionSeconds" label={t('limits.questionSeconds')} hint={t('limits.questionSecondsHint')} />
                  <Whole {...fields} name="contactHarvestProducts" label={t('limits.harvest')} hint={t('limits.harvestHint')} />
                </div>
              )}
            </SettingGroup>
            <SettingGroup {...group} title={t('connect.title')} names={['creditsOnJoining', 'weeklyPurchaseLimitUsd']}>
              {(fields) => (
                <div className="columns">
                  <Whole {...fields} name="creditsOnJoining" label={t('connect.joining')} hint={t('connect.joiningHint')} />
                  <Whole {...fields} name="weeklyPurchaseLimitUsd" label={t('connect.weekly')} hint={t('connect.weeklyHint')} />
                </div>
              )}
            </SettingGroup>
          </div>
        );
      }}
    </ReadState>
  );
}

/** A whole number. Not of type `number`: that would swallow what is mistyped, and nothing could be said about it. */
function Whole({ typed, set, error, busy, name, label, hint }: Fields & { name: SettingName; label: string; hint?: string }) {
  return (
    <TextInput
      label={label}
      {...(hint ? { hint } : {})}
      required
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      error={error(name)}
      value={typed(name) as string}
      readOnly={busy}
      onChange={(event) => set(name)(event.target.value)}
    />
  );
}

/** The operator's own figures or the measured ones (product R29). */
function StatsChoice({ t, typed, set, busy }: Fields & { t: SettingsDesk['t'] }) {
  const measured = typed('statsMeasured') === true;
  const choice = (value: boolean, label: string) => (
    <label className="settings__choice">
      <input type="radio" name="statsMeasured" checked={measured === value} disabled={busy} onChange={() => set('statsMeasured')(value)} />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset className="settings__choices">
      <legend className="field__label">{t('stats.mode')}</legend>
      {choice(false, t('stats.fixed'))}
      {choice(true, t('stats.measured'))}
      <Note tone={measured ? 'info' : 'wait'}>{measured ? t('stats.measuredHint') : t('stats.fixedWarning')}</Note>
    </fieldset>
  );
}

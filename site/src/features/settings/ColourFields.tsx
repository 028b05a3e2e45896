import {
  asHex,
  type Colours,
  grounds,
  isVisible,
  originals,
  type Palette,
  paletteOf,
  type Theme,
} from '../../../../api/shared/brand/colours.ts';
import { TextInput } from '../../ui/Field.tsx';
import type { SettingFieldProps } from './SettingGroup.tsx';

/** Two colours in each theme, with what they look like; what cannot be read is not shown. */
export function ColourFields({ t, typed, set, error, busy }: SettingFieldProps) {
  const colours = typed('colours') as Colours;
  const shown = (theme: Theme, name: 'plate' | 'hot') => {
    const given = asHex(colours[theme][name]);
    return /^#[\da-f]{6}$/.test(given) && isVisible(given, theme) ? given : '';
  };
  return (
    <div className="settings__payees">
      {(['light', 'dark'] as const).map((theme) => (
        <fieldset key={theme} className="settings__payee">
          <legend>{t(`colours.${theme}`)}</legend>
          {(['plate', 'hot'] as const).map((name) => (
            <TextInput
              key={name}
              label={t(`colours.${name}`)}
              placeholder={originals[theme][name]}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={20}
              error={error(`colours.${theme}.${name}`)}
              value={colours[theme][name]}
              readOnly={busy}
              onChange={(event) =>
                set('colours')({
                  ...colours,
                  [theme]: { ...colours[theme], [name]: event.target.value },
                })
              }
            />
          ))}
          <Example
            label={t('colours.example')}
            palette={paletteOf(theme, { plate: shown(theme, 'plate'), hot: shown(theme, 'hot') })}
            theme={theme}
          />
        </fieldset>
      ))}
    </div>
  );
}

function Example({ label, palette, theme }: { label: string; palette: Palette; theme: Theme }) {
  const [paper] = grounds[theme];
  return (
    <svg className="settings__example" viewBox="0 0 240 64" role="img" aria-label={label}>
      <rect width="240" height="64" rx="6" fill={paper} />
      <rect x="12" y="16" width="60" height="32" rx="5" fill={palette.plate} />
      <text x="42" y="39" textAnchor="middle" fill={palette.onPlate}>
        54
      </text>
      <rect x="84" y="16" width="60" height="32" rx="4" fill={palette.hot} />
      <text x="114" y="39" textAnchor="middle" fill={palette.onHot}>
        XAF
      </text>
      <text x="156" y="39" fill={palette.hotInk}>
        01:23:45
      </text>
    </svg>
  );
}

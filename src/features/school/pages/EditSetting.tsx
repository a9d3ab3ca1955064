import { Trans, useLingui } from '@lingui/react/macro';
import { TickField } from '#kit/browser/form/choices.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translate } from '#kit/browser/text.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import {
  type SettingValue,
  settingLabel,
  settingProblem,
  settingSchema,
  settingWords,
  showHour,
} from '#kit/contract/setting.ts';
import { type SettingRow, settingApi } from '../contract/setting.ts';

interface Props {
  setting: SettingRow;
  onClose: () => void;
}

/** The value that another user saved while this form was open. */
interface Saved {
  rowVersion: number;
  value: SettingValue;
  changedBy: string | null;
}

/** Boxes hold text. */
const asTyped = (value: SettingValue) =>
  typeof value === 'boolean' ? value : Array.isArray(value) ? value.join(', ') : String(value);

/** Edits one setting. */
export function EditSetting({ setting, onClose }: Props) {
  const { t } = useLingui();
  const { key, rowVersion } = setting;
  const name = translate(setting.label);
  const title = t`Edit setting: ${name}`;
  const inWords = (value: SettingValue) => translate(settingWords(setting, value));
  const newerOf = ({ value, rowVersion, changedBy }: Saved, mine: Values): Newer => ({
    values: { value: asTyped(value) },
    hiddenValues: { rowVersion },
    differences: [
      {
        label: name,
        saved: [inWords(value), changedBy].filter(Boolean).join(', '),
        mine: inWords(settingSchema(setting).parse(mine.value)),
      },
    ],
  });
  return (
    <RecordForm
      title={title}
      endpoint={settingApi.save}
      initial={{ value: asTyped(setting.value) }}
      hiddenValues={{ key, rowVersion }}
      newerOf={(data, mine) => newerOf(data as unknown as Saved, mine)}
      validate={({ value }): FieldErrors => {
        const problem = settingProblem(setting, value);
        return problem ? { value: problem } : {};
      }}
      saved={(_, { isHeld }) => (isHeld ? t`A second person decides.` : t`Saved.`)}
      onClose={onClose}
    >
      <ValueField setting={setting} />
    </RecordForm>
  );
}

/** The control of a setting, by its kind. */
function ValueField({ setting }: { setting: SettingRow }) {
  const { kind, help, least = 0, most = 0, options = [] } = setting;
  const usual = translate(settingWords(setting, setting.default));
  const common = {
    name: 'value',
    label: settingLabel(setting),
    hint: (
      <>
        {translate(help)} <Trans>Default: {usual}</Trans>
      </>
    ),
  };
  if (kind === 'yesNo') return <TickField {...common} />;
  if (kind === 'hour') {
    const hours = Array.from({ length: most - least + 1 }, (_, place) => least + place);
    return (
      <SelectField
        {...common}
        width="short"
        options={hours.map((hour) => ({ value: String(hour), label: showHour(hour) }))}
      />
    );
  }
  if (kind === 'choice') return <SelectField {...common} options={options} />;
  if (kind === 'words') return <TextField {...common} width="medium" />;
  if (kind === 'days') return <TextField {...common} width="medium" />;
  return <TextField {...common} width="short" inputMode="numeric" />;
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
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
interface Newer {
  rowVersion: number;
  value: SettingValue;
  changedBy: string | null;
}

/** Boxes hold text. */
const asTyped = (value: SettingValue) =>
  typeof value === 'boolean' ? value : Array.isArray(value) ? value.join(', ') : String(value);

type Typed = ReturnType<typeof asTyped>;

/** Edits one setting. */
export function EditSetting({ setting, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const isChanged = useRef(false);
  const { key } = setting;
  const [start, setStart] = useState({ typed: asTyped(setting.value), rowVersion: setting.rowVersion, take: 0 });
  const [newer, setNewer] = useState<Newer & { mine: Typed }>();
  const name = translate(setting.label);
  const title = t`Edit setting: ${name}`;
  const choose = (typed: Typed, rowVersion: number) => {
    setStart(({ take }) => ({ typed, rowVersion, take: take + 1 }));
    setNewer(undefined);
  };
  const inWords = (value: SettingValue) => translate(settingWords(setting, value));
  return (
    <SideDialog title={title} onClose={onClose} isChanged={isChanged}>
      {(close) => (
        <>
          {newer && (
            <TwoVersions
              differences={[
                {
                  label: name,
                  saved: [inWords(newer.value), newer.changedBy].filter(Boolean).join(', '),
                  mine: inWords(settingSchema(setting).parse(newer.mine)),
                },
              ]}
              onSaved={() => choose(asTyped(newer.value), newer.rowVersion)}
              onMine={() => choose(newer.mine, newer.rowVersion)}
            />
          )}
          <ApiForm
            // The form starts again from the version that is chosen.
            key={start.take}
            endpoint={settingApi.save}
            initial={{ value: start.typed }}
            hiddenValues={{ key, rowVersion: start.rowVersion }}
            label={title}
            validate={({ value }): FieldErrors => {
              const problem = settingProblem(setting, value);
              return problem ? { value: problem } : {};
            }}
            onStale={({ data }, { value }) => setNewer({ ...(data as unknown as Newer), mine: value as Typed })}
            onDone={() => {
              close();
              toast({ kind: 'success', title: t`Saved.` });
            }}
            buttons={(isSending, hasChanged) => {
              // The choice between two versions is not saved either.
              isChanged.current = hasChanged || start.take > 0;
              return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
            }}
          >
            <ValueField setting={setting} />
          </ApiForm>
        </>
      )}
    </SideDialog>
  );
}

/** The control of a setting, by its kind. */
function ValueField({ setting }: { setting: SettingRow }) {
  const { kind, help, least = 0, most = 0 } = setting;
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
  if (kind === 'tick') return <TickField {...common} />;
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
  if (kind === 'days') return <TextField {...common} width="medium" />;
  return <TextField {...common} width="short" inputMode="numeric" />;
}

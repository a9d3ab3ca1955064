import { useLingui } from '@lingui/react/macro';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { showValue } from '#kit/browser/record/show-value.tsx';
import { translate } from '#kit/browser/text.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { type Frequency, type FrequencyKind, frequencyApi, usualRows } from '../contract/frequency.ts';
import { FrequencyFields } from './FrequencyFields.tsx';
import { type TypedRow, typedRows } from './typed-row.ts';

const valuesOf = ({ name, code, kind, isEqual, unit, remainderSeq, isActive, rows }: Frequency): Values => ({
  name,
  code,
  kind,
  sharing: isEqual ? 'Equal shares' : 'Percentages',
  unit: String(unit),
  remainderSeq: String(remainderSeq),
  isActive,
  rows: typedRows(rows),
});

interface AddProps {
  /** The frequency whose instalments the new one starts with. */
  like?: Frequency;
  kind?: FrequencyKind;
  onClose: () => void;
}

export function AddFrequency({ like, kind = 'Monthly', onClose }: AddProps) {
  const { t } = useLingui();
  const usual = {
    name: kind,
    code: kind.slice(0, 1),
    kind,
    sharing: 'Equal shares',
    unit: '1',
    remainderSeq: '1',
    rows: typedRows(usualRows(kind)),
  };
  const initial = like ? { ...valuesOf(like), name: '', code: '' } : usual;
  return (
    <RecordForm
      title={like ? t`Duplicate ${like.name}` : t`Add frequency`}
      endpoint={frequencyApi.create}
      initial={initial}
      next={{ keeps: [], nameFields: ['name'] }}
      onClose={onClose}
    >
      <FrequencyFields isNew={!like} />
    </RecordForm>
  );
}

interface EditProps {
  frequency: Frequency;
  onClose: () => void;
}

export function EditFrequency({ frequency, onClose }: EditProps) {
  const { t } = useLingui();
  const { id, version, name } = frequency;
  const newerOf = (saved: Frequency, mine: Values): Newer => {
    const all = [
      { label: t`Name`, saved: saved.name, mine: String(mine.name) },
      { label: t`Code`, saved: saved.code, mine: String(mine.code) },
      {
        label: t`Instalments`,
        saved: saved.rows.map(({ label }) => label).join(', '),
        mine: (mine.rows as TypedRow[]).map(({ label }) => label).join(', '),
      },
      {
        label: translate(isActiveLabel),
        saved: showValue(undefined, saved.isActive),
        mine: showValue(undefined, mine.isActive),
      },
    ];
    return {
      values: valuesOf(saved),
      hiddenValues: { version: saved.version },
      differences: all.filter(({ saved, mine }) => saved !== mine),
    };
  };
  return (
    <RecordForm
      title={t`Edit ${name}`}
      endpoint={frequencyApi.update}
      initial={valuesOf(frequency)}
      hiddenValues={{ id, version }}
      newerOf={({ saved }, mine) => newerOf(saved as Frequency, mine)}
      onClose={onClose}
    >
      <FrequencyFields />
      <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
    </RecordForm>
  );
}

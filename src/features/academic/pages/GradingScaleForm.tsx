import { useLingui } from '@lingui/react/macro';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { showValue } from '#kit/browser/record/show-value.tsx';
import { translate } from '#kit/browser/text.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { bandsOf, type GradingScale, gradingScaleApi, scaleWords } from '../contract/grading-scale.ts';
import { emptyBand, GradingBands, typedBands } from './GradingBands.tsx';

export function AddGradingScale({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Add grading scale`}
      endpoint={gradingScaleApi.create}
      initial={{ name: '', bands: [emptyBand(), { ...emptyBand(), min: '0' }] }}
      next={{ keeps: [], nameFields: ['name'] }}
      onClose={onClose}
    >
      <TextField name="name" />
      <GradingBands />
    </RecordForm>
  );
}

interface Props {
  scale: GradingScale;
  onClose: () => void;
}

export function EditGradingScale({ scale, onClose }: Props) {
  const { t } = useLingui();
  const { id, version, name } = scale;
  const title = t`Edit ${name}`;
  const newerOf = (saved: GradingScale, mine: Values): Newer => {
    const entered = gradingScaleApi.update.input.parse({ ...mine, id, version });
    const all = [
      { label: t`Name`, saved: saved.name, mine: entered.name },
      { label: t`Bands`, saved: scaleWords(saved.bands), mine: scaleWords(bandsOf(entered.bands)) },
      {
        label: translate(isActiveLabel),
        saved: showValue(undefined, saved.isActive),
        mine: showValue(undefined, entered.isActive),
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
      title={title}
      endpoint={gradingScaleApi.update}
      initial={valuesOf(scale)}
      hiddenValues={{ id, version }}
      newerOf={({ saved }, mine) => newerOf(saved as GradingScale, mine)}
      onClose={onClose}
    >
      <TextField name="name" />
      <GradingBands />
      <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
    </RecordForm>
  );
}

const valuesOf = ({ name, isActive, bands }: GradingScale): Values => ({ name, isActive, bands: typedBands(bands) });

import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Values } from '#kit/browser/form/ApiForm.tsx';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { AddDialog } from '#kit/browser/list/AddDialog.tsx';
import { showValue } from '#kit/browser/record/show-value.tsx';
import { translate } from '#kit/browser/text.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { isActiveLabel } from '#kit/contract/master.ts';
import { bandsOf, type GradingScale, gradingScaleApi, scaleWords } from '../contract/grading-scale.ts';
import { emptyBand, GradingBands, typedBands } from './GradingBands.tsx';

export function AddGradingScale({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <AddDialog
      title={t`Add grading scale`}
      endpoint={gradingScaleApi.create}
      initial={{ name: '', bands: [emptyBand(), { ...emptyBand(), min: '0' }] }}
      keeps={[]}
      nameFields={['name']}
      onClose={onClose}
    >
      <TextField name="name" />
      <GradingBands />
    </AddDialog>
  );
}

interface Props {
  scale: GradingScale;
  onClose: () => void;
}

export function EditGradingScale({ scale, onClose }: Props) {
  const { t } = useLingui();
  const isChanged = useRef(false);
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
    <SideDialog title={title} onClose={onClose} isChanged={isChanged}>
      {(close) => (
        <EditForm
          endpoint={gradingScaleApi.update}
          label={title}
          initial={valuesOf(scale)}
          hiddenValues={{ id, version }}
          newerOf={({ saved }, mine) => newerOf(saved as GradingScale, mine)}
          close={close}
          isChanged={isChanged}
        >
          <TextField name="name" />
          <GradingBands />
          <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
        </EditForm>
      )}
    </SideDialog>
  );
}

const valuesOf = ({ name, isActive, bands }: GradingScale): Values => ({ name, isActive, bands: typedBands(bands) });

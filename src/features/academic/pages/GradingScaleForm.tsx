import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { readAllAgain } from '#kit/browser/data/read.ts';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { TickRow } from '#kit/browser/master/MasterField.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type GradingScale, gradingScaleApi, scaleWords } from '../contract/grading-scale.ts';
import { emptyBand, GradingBands, typedBands } from './GradingBands.tsx';

interface Props {
  /** Absent for a new scale. */
  scale?: GradingScale;
  onClose: () => void;
}

export function GradingScaleForm({ scale, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const isChanged = useRef(false);
  const [newer, setNewer] = useState<{ saved: GradingScale; mine: Values }>();
  const [start, setStart] = useState({
    values: scale ? valuesOf(scale) : { name: '', bands: [emptyBand(), { ...emptyBand(), min: '0' }] },
    version: scale?.version,
    take: 0,
  });
  const choose = (values: Values, version: number) => {
    setStart(({ take }) => ({ values, version, take: take + 1 }));
    setNewer(undefined);
  };
  const name = scale?.name ?? '';
  const title = scale ? t`Edit ${name}` : t`Add grading scale`;
  return (
    <SideDialog title={title} onClose={onClose} isChanged={isChanged}>
      {(close) => (
        <>
          {newer && <Newer {...newer} onChoose={choose} />}
          <ApiForm
            // The form starts again from the version that is chosen.
            key={start.take}
            endpoint={scale ? gradingScaleApi.update : gradingScaleApi.create}
            initial={start.values}
            hiddenValues={scale && { id: scale.id, version: start.version }}
            label={title}
            onStale={({ data }, mine) => {
              setNewer({ saved: data?.saved as GradingScale, mine });
              void readAllAgain(); // The list shows the same old version.
            }}
            onDone={async () => {
              close();
              toast({ kind: 'success', title: scale ? t`Saved.` : t`Added.` });
            }}
            buttons={(isSending, hasChanged) => {
              // A version chosen after a conflict is not saved either.
              isChanged.current = hasChanged || start.take > 0;
              return (
                <FormButtons
                  isSending={isSending}
                  close={close}
                  words={scale ? <Trans>Save</Trans> : <Trans>Add</Trans>}
                />
              );
            }}
          >
            <TextField name="name" />
            <GradingBands />
            {scale && (
              <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
            )}
          </ApiForm>
        </>
      )}
    </SideDialog>
  );
}

const valuesOf = ({ name, isActive, bands }: GradingScale): Values => ({ name, isActive, bands: typedBands(bands) });

interface NewerProps {
  saved: GradingScale;
  mine: Values;
  onChoose: (values: Values, version: number) => void;
}

/** Offers the choice between the version another user saved and the one in the form. */
function Newer({ saved, mine, onChoose }: NewerProps) {
  const { name } = saved;
  const words = scaleWords(saved.bands);
  return (
    <Notice as="div" role="alert">
      <p>
        <Trans>Someone else has changed this. Which version do you want to keep?</Trans>
      </p>
      <p>
        <Trans>
          Saved version: {name}, {words}.
        </Trans>{' '}
        {!saved.isActive && <Trans>The saved version is inactive.</Trans>}
      </p>
      <div className="summary-buttons">
        <Button onClick={() => onChoose(valuesOf(saved), saved.version)}>
          <Trans>Use the saved version</Trans>
        </Button>
        <Button onClick={() => onChoose(mine, saved.version)}>
          <Trans>Keep my version</Trans>
        </Button>
      </div>
    </Notice>
  );
}

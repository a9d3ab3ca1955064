import { Trans, useLingui } from '@lingui/react/macro';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { correctionFields, grNumberApi } from '../contract/gr-number.ts';
import type { StudentHead } from '../contract/record.ts';

/** The principal's correction of the general register. */
export function CorrectGrNumber({ head: { id, version, grNo } }: { head: StudentHead }) {
  const { t } = useLingui();
  const title = t`Correct GR number ${grNo}`;
  return (
    <FormOpener title={title} label={<Trans>Correct…</Trans>}>
      {(onClose) => (
        <RecordForm
          title={title}
          about={t`${grNo} is kept in the register with the reason and never used again.`}
          endpoint={grNumberApi.correct}
          initial={emptyValuesOf(correctionFields)}
          hiddenValues={{ id, version }}
          onClose={onClose}
        >
          <FieldControls fields={correctionFields} />
        </RecordForm>
      )}
    </FormOpener>
  );
}

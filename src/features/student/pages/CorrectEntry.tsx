import { Trans, useLingui } from '@lingui/react/macro';
import { LastName } from '#features/school/ui/LastName.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RadioField, TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControl } from '#kit/browser/form/FieldControl.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { emptyValuesOf, isNeeded } from '#kit/contract/field.ts';
import type { Text } from '#kit/contract/text.ts';
import {
  correctedFields,
  correctionApi,
  correctionKinds,
  type RegisterName,
  registerFields,
  registerNames,
} from '../contract/correction.ts';
import type { StudentHead } from '../contract/record.ts';
import { TextLines } from './TextLines.tsx';

/** Corrects an entry of the general register: its new value, why, and the paper. */
export function CorrectEntry({ head: { id, name }, onClose }: { head: StudentHead; onClose: () => void }) {
  const { t } = useLingui();
  const known = useRead(correctionApi.list, { id });
  return (
    <QueryBoundary query={known}>
      {({ touches, needsSecond, closedOn }) => (
        <RecordForm
          title={t`Correct a register entry of ${name}`}
          about={
            closedOn === ''
              ? t`The entries are still open: edit them under Personal data.`
              : needsSecond
                ? t`A certificate is with the family, so the principal decides.`
                : t`The entry changes at once. The earlier entry is kept.`
          }
          endpoint={correctionApi.correct}
          initial={{
            ...emptyValuesOf(correctedFields),
            ...{ field: 'birthDate', kind: 'Clerical mistake', reason: '', authority: '', orderNo: '', orderOn: '' },
            hasOneName: false,
            isPrinted: true,
          }}
          hiddenValues={{ id }}
          words={needsSecond ? <Trans>Ask the principal</Trans> : <Trans>Correct</Trans>}
          saved={needsSecond ? t`The principal was asked.` : t`The register entry was corrected.`}
          status={<UploadStatus />}
          onClose={onClose}
        >
          <SelectField
            name="field"
            options={registerNames.map((value) => ({ value, label: translate(registerFields[value].label) }))}
          />
          <NewValue touches={touches} />
        </RecordForm>
      )}
    </QueryBoundary>
  );
}

interface Touch {
  fields: readonly RegisterName[];
  text: Text;
}

/** The new value of the chosen entry, what it touches, and what stands behind it. */
function NewValue({ touches }: { touches: readonly Touch[] }) {
  const { values } = useApiForm();
  const name = values.field as RegisterName;
  const isOrder = values.kind === 'By order';
  const touched = touches.filter(({ fields }) => fields.includes(name)).map(({ text }) => text);
  return (
    <>
      {name === 'lastName' ? (
        <LastName />
      ) : (
        <FieldControl key={name} name={name} field={correctedFields[name]} required={isNeeded(registerFields[name])} />
      )}
      {touched.length > 0 && (
        <Notice as="div">
          <TextLines lines={touched} />
        </Notice>
      )}
      <RadioField name="kind" options={correctionKinds} />
      <TextField name="reason" />
      {isOrder && (
        <>
          <TextField name="authority" required hint={<Trans>For example District Education Officer.</Trans>} />
          <TextField name="orderNo" required width="medium" />
          <DateField name="orderOn" required toward="past" />
        </>
      )}
      <UploadField name="paper" hint={<Trans>PDF, PNG or JPG, at most 2 MB.</Trans>} />
      <TickField name="isPrinted" />
    </>
  );
}

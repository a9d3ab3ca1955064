import { useLingui } from '@lingui/react/macro';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import type { ProcessRecord } from '../../contract/process.ts';
import { recommendations, slotApi } from '../../contract/slot.ts';

interface Props {
  interaction: ProcessRecord['interactions'][number];
  onClose: () => void;
}

/** What the reader found at an interaction, which the child then has attended. */
export function ResultForm({ interaction: { id, kind, own }, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Your result`}
      endpoint={slotApi.outcome}
      initial={{
        recommendation: own?.recommendation ?? '',
        score: own?.score?.toString() ?? '',
        ofScore: own?.ofScore?.toString() ?? '',
        note: own?.note ?? '',
      }}
      hiddenValues={{ id }}
      onClose={onClose}
    >
      <SelectField name="recommendation" options={recommendations} />
      {kind === 'Assessment' && (
        <>
          <TextField name="score" width="short" inputMode="numeric" />
          <TextField name="ofScore" width="short" inputMode="numeric" />
        </>
      )}
      <TextField name="note" long />
    </RecordForm>
  );
}

import { Trans } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { healthApi } from '../contract/health.ts';
import type { studentRecordApi } from '../contract/record.ts';

type RevealEndpoint = typeof healthApi.revealHealth | typeof studentRecordApi.revealAadhaar;

interface Props<Operation extends RevealEndpoint> {
  title: string;
  endpoint: Operation;
  id: number;
  onDone: (answer: OutputOf<Operation>) => void;
}

/** A button that asks for a reason, and then shows what is sealed. */
export const Reveal = <Operation extends RevealEndpoint>({ title, endpoint, id, onDone }: Props<Operation>) => (
  <FormOpener title={title} label={<Trans>Show…</Trans>}>
    {(onClose) => (
      <RecordForm
        title={title}
        endpoint={endpoint}
        initial={{ reason: '' }}
        hiddenValues={{ id }}
        words={<Trans>Show</Trans>}
        saved={null}
        onDone={onDone}
        onClose={onClose}
      >
        <TextField name="reason" hint={<Trans>The audit log keeps your name and the reason.</Trans>} />
      </RecordForm>
    )}
  </FormOpener>
);

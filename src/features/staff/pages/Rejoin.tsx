import { Trans, useLingui } from '@lingui/react/macro';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { leavingApi } from '../contract/leaving.ts';
import { employmentFields, postFields } from '../contract/record.ts';

interface Props {
  id: number;
  name: string;
  /** What was already entered about the return. */
  entered?: Values;
  onClose: () => void;
}

/** Another spell of employment of a person who has left, with its post. */
export function Rejoin({ id, name, entered = { joinedOn: today() }, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Re-join ${name}`}
      about={t`The account is closed until an Admin restores it.`}
      endpoint={leavingApi.rejoin}
      initial={{ ...emptyValuesOf(postFields), ...entered }}
      hiddenValues={{ id }}
      words={<Trans>Re-join</Trans>}
      saved={t`${name} has re-joined.`}
      onClose={onClose}
    >
      <FieldControls fields={{ ...employmentFields, ...postFields }} without={{ reportsToId: id }} />
    </RecordForm>
  );
}

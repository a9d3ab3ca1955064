import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { showDate } from '#kit/contract/day.ts';
import { checkApi } from '../contract/check.ts';
import type { Homework, HomeworkChild } from '../contract/homework.ts';

interface Props {
  homework: Homework;
  child: HomeworkChild;
  onClose: () => void;
}

/** Gives one child more time, or ends it. */
export function ExtendForm({ homework: { id, dueOn }, child, onClose }: Props) {
  const { t } = useLingui();
  const end = useAction(checkApi.endExtension);
  const { studentId, name, reason } = child;
  return (
    <RecordForm
      title={t`More time for ${name}`}
      about={t`Due on ${showDate(dueOn)} for the others.`}
      endpoint={checkApi.extend}
      initial={{ dueOn: reason ? child.dueOn : '', reason }}
      hiddenValues={{ id, studentId }}
      status={end.problem}
      buttons={
        reason !== '' && (
          <Button
            isBusy={end.isBusy}
            onClick={async () => {
              if (await end.run({ id, studentId })) onClose();
            }}
          >
            <Trans>End more time</Trans>
          </Button>
        )
      }
      onClose={onClose}
    >
      <DateField name="dueOn" toward="future" />
      <TextField name="reason" />
    </RecordForm>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type ProcessRecord, processApi } from '../../contract/process.ts';
import { EndReasonFields } from '../EndReasonFields.tsx';

export type FormName = 'move' | 'extend' | 'notNeeded' | 'askWaiver' | 'reverse' | 'reject' | 'withdraw' | 'reopen';

interface Props {
  name: FormName;
  record: ProcessRecord;
  onClose: () => void;
}

/** The form of an act of an application that few need. */
export function ApplicationForm({ name, record, onClose }: Props): ReactNode {
  const { t } = useLingui();
  const toast = useToast();
  const { id, version, otherSeats } = record;
  const rest = { hiddenValues: { id, version }, onClose };
  switch (name) {
    case 'move':
      return (
        <RecordForm
          {...rest}
          title={t`Change class or quota`}
          endpoint={processApi.move}
          initial={{ seatId: '', ageReason: '' }}
          words={<Trans>Change</Trans>}
          saved={t`Changed.`}
        >
          <SelectField
            name="seatId"
            options={otherSeats.map((seat) => ({ value: String(seat.id), label: t`${seat.name} (${seat.free} free)` }))}
          />
          <TextField name="ageReason" hint={<Trans>Needed where the grade doesn’t take this age.</Trans>} />
        </RecordForm>
      );
    case 'extend':
      return (
        <RecordForm {...rest} title={t`Give more days to answer`} endpoint={processApi.extend} initial={{ until: '' }}>
          <DateField name="until" toward="future" />
        </RecordForm>
      );
    case 'notNeeded':
      return (
        <RecordForm
          {...rest}
          title={t`Skip the interaction`}
          endpoint={processApi.notNeeded}
          initial={{ reason: '' }}
          words={<Trans>Skip</Trans>}
        >
          <TextField name="reason" />
        </RecordForm>
      );
    case 'askWaiver':
      return (
        <RecordForm
          {...rest}
          title={t`Ask to waive the fee`}
          about={t`The principal or a finance approver decides. The offer is open until then.`}
          endpoint={processApi.askWaiver}
          initial={{ reason: '' }}
          words={<Trans>Ask</Trans>}
          saved={t`Sent for approval.`}
        >
          <TextField name="reason" />
        </RecordForm>
      );
    case 'reverse':
      return (
        <RecordForm
          {...rest}
          title={t`Reverse the payment`}
          about={t`The seat is offered again, at least until tomorrow. A second person decides on a payment of an earlier day.`}
          endpoint={processApi.reversePayment}
          initial={{ reason: '' }}
          words={<Trans>Reverse</Trans>}
          saved={null}
          onDone={({ isAsked }) =>
            toast({ kind: 'success', title: isAsked ? t`Approval is requested.` : t`Reversed.` })
          }
        >
          <TextField name="reason" />
        </RecordForm>
      );
    case 'reject':
      return (
        <RecordForm
          {...rest}
          title={t`Decline without a message`}
          endpoint={processApi.reject}
          initial={{ reasonId: '', note: '' }}
          words={<Trans>Decline</Trans>}
          saved={t`Declined.`}
        >
          <EndReasonFields options={processApi.notOfferedReasons} />
        </RecordForm>
      );
    case 'withdraw':
      return (
        <RecordForm
          {...rest}
          title={t`Withdrawn by the family`}
          endpoint={processApi.withdraw}
          initial={{ reasonId: '', note: '' }}
          words={<Trans>Withdraw</Trans>}
          saved={t`Withdrawn.`}
        >
          <EndReasonFields options={processApi.withdrawnReasons} />
        </RecordForm>
      );
    case 'reopen':
      return (
        <RecordForm
          {...rest}
          title={t`Reopen the application`}
          endpoint={processApi.reopen}
          initial={{ reason: '' }}
          words={<Trans>Reopen</Trans>}
          saved={t`Reopened.`}
        >
          <TextField name="reason" />
        </RecordForm>
      );
  }
}

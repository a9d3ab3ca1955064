import { Trans, useLingui } from '@lingui/react/macro';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { creditApi, creditFields } from '../contract/credit.ts';
import { staffLeaveApi } from '../contract/leave.ts';
import { personShiftApi, personShiftFields } from '../contract/person-shift.ts';
import { AskForLeave, EnterLeave } from './LeaveForm.tsx';
import { OwnLeave } from './OwnLeave.tsx';

/** Leave and attendance on a profile: the own one asks for leave, HR enters it. */
export function WorkdayCard({ record: { id, card } }: { record: StaffRecord }) {
  const { t } = useLingui();
  const query = useRead(staffLeaveApi.ofPerson, { id });
  const act = query.data?.isOwn ? (
    <FormOpener title={t`Ask for leave`} label={<Trans>Ask for leave</Trans>}>
      {(onClose) => <AskForLeave onClose={onClose} />}
    </FormOpener>
  ) : (
    query.data?.mayEnter && (
      <>
        <FormOpener title={t`Enter leave of a colleague`} label={<Trans>Enter leave</Trans>}>
          {(onClose) => <EnterLeave person={{ id, name: card.name }} onClose={onClose} />}
        </FormOpener>
        <FormOpener title={t`Give a shift`} label={<Trans>Shift…</Trans>}>
          {(onClose) => (
            <RecordForm
              title={t`Give a shift`}
              about={card.name}
              endpoint={personShiftApi.set}
              initial={{ shiftId: '', from: '' }}
              hiddenValues={{ staffId: id }}
              onClose={onClose}
            >
              <FieldControls fields={personShiftFields} />
            </RecordForm>
          )}
        </FormOpener>
        <FormOpener title={t`Credit or correct leave`} label={<Trans>Credit…</Trans>}>
          {(onClose) => (
            <RecordForm
              title={t`Credit or correct leave`}
              about={card.name}
              endpoint={creditApi.add}
              initial={{ typeId: '', kind: 'Opening', halves: '', reason: '' }}
              hiddenValues={{ staffId: id }}
              onClose={onClose}
            >
              <FieldControls fields={creditFields} />
            </RecordForm>
          )}
        </FormOpener>
      </>
    )
  );
  return (
    <RecordCard isWide title={<Trans>Leave and attendance</Trans>} actions={act}>
      <QueryBoundary query={query}>{(of) => <OwnLeave of={of} />}</QueryBoundary>
    </RecordCard>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { staffLeaveApi } from '../contract/leave.ts';
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
      <FormOpener title={t`Enter leave of a colleague`} label={<Trans>Enter leave</Trans>}>
        {(onClose) => <EnterLeave person={{ id, name: card.name }} onClose={onClose} />}
      </FormOpener>
    )
  );
  return (
    <RecordCard isWide title={<Trans>Leave and attendance</Trans>} actions={act}>
      <QueryBoundary query={query}>{(of) => <OwnLeave of={of} />}</QueryBoundary>
    </RecordCard>
  );
}

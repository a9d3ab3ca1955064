import { Trans } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { planApi, planList } from '../contract/plan.ts';
import { AllocatePlans } from './AllocatePlans.tsx';

/** The students of open years: those without a fee plan first. */
export function PlanList() {
  const mayAllocate = useMay(planApi.allocate);
  return (
    <RecordList
      list={planList}
      open={({ studentId }) => ({
        to: '/school-erp/fee/fee-structure-allocation/plan/$studentID',
        params: { studentID: String(studentId) },
      })}
      bulk={mayAllocate ? (selection, clear) => <AllocatePlans selection={selection} clear={clear} /> : undefined}
      empty={{ message: <Trans>No students are enrolled yet.</Trans> }}
    />
  );
}

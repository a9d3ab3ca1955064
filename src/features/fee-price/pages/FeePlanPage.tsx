import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type FeePlan, planApi } from '../contract/plan.ts';
import { DueTable } from '../ui/DueTable.tsx';
import { WaitingReliefs } from '../ui/WaitingReliefs.tsx';
import { PlanActs } from './PlanActs.tsx';

/** /school-erp/fee/fee-structure-allocation/plan/{studentID}: what a student owes in a year, by due day and fee head. */
export function FeePlanPage() {
  const { studentID } = useParams({ strict: false }) as { studentID: string };
  const { t } = useLingui();
  const { address } = useListAddress();
  const plan = useRead(planApi.read, { id: studentID, yearId: address.year ?? '' });
  return (
    <>
      {plan.error && !plan.data && <PageHead title={t`Fee plan`} />}
      <QueryBoundary query={plan}>{(found) => <Plan plan={found} />}</QueryBoundary>
    </>
  );
}

function Plan({ plan }: { plan: FeePlan }) {
  const { t } = useLingui();
  const { name, grNo, years, yearId, dues, joinedOn, leftOn, changes } = plan;
  const sum = (of: 'gross' | 'proRata' | 'concession' | 'net' | 'paid') =>
    showMoney(dues.reduce((total, due) => total + due[of], 0));
  const parts =
    plan.planId === null
      ? [<EmptyState key="none" message={<Trans>No fee plan yet. Make it in Fee Structure Allocation.</Trans>} />]
      : [
          <RecordCard key="dues" title={t`By due day`} isWide>
            <WaitingReliefs reliefs={plan.waiting} />
            <DueTable dues={dues} />
          </RecordCard>,
          <RecordCard key="facts" title={t`In the year`}>
            <Facts
              facts={[
                { label: t`From`, value: showDate(joinedOn) },
                { label: t`Until`, value: leftOn && showDate(leftOn) },
                { label: t`Price`, value: sum('gross') },
                { label: t`Pro-rata`, value: sum('proRata') },
                { label: t`Concessions`, value: sum('concession') },
                { label: t`Pays`, value: sum('net') },
                { label: t`Paid`, value: sum('paid') },
              ]}
            />
          </RecordCard>,
          <RecordCard key="changes" title={t`Changes`}>
            <AmountTable
              caption={<Trans>Changes of the plan</Trans>}
              heads={[t`When`, t`Change`, t`From`, t`By`, t`Reason`, t`Amount`]}
              amounts={[t`Amount`]}
              rows={changes.map((change) => ({
                key: change.id,
                cells: [
                  showMoment(change.at),
                  translateOption(change.kind),
                  showDate(change.effectiveFrom),
                  change.by,
                  change.reason,
                  showMoney(change.total),
                ],
              }))}
            />
          </RecordCard>,
        ];
  return (
    <RecordPage
      title={t`Fees of ${name}`}
      back={{ to: '/school-erp/fee/fee-structure-allocation', title: t`Fee Structure Allocation` }}
      about={[grNo, plan.place].filter(Boolean).join(' · ')}
      actions={<PlanActs key={plan.version} plan={plan} />}
      parts={[
        {
          key: 'plan',
          title: t`Plan`,
          cards: [
            ...(years.length > 1
              ? [
                  <div key="years" data-wide>
                    <AddressTabs
                      label={t`Academic years`}
                      name="year"
                      tabs={years.map((year) => ({ key: String(year.id), title: year.name }))}
                      current={String(yearId)}
                    />
                  </div>,
                ]
              : []),
            ...parts,
          ],
        },
      ]}
    />
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type FeePlan, type PlannedDue, planApi } from '../contract/plan.ts';
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
            <CardTable
              caption={<Trans>Changes of the plan</Trans>}
              heads={[t`When`, t`What`, t`From`, t`By`, t`Reason`, t`Amount`]}
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

/** Due days down, fee heads across; an amount opens its entries. */
function DueTable({ dues }: { dues: readonly PlannedDue[] }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<PlannedDue[]>();
  const heads = [...new Map(dues.map(({ feeHeadId, head }) => [feeHeadId, head]))];
  const days = [...Map.groupBy(dues, ({ dueOn }) => dueOn)].toSorted(([one], [other]) => one.localeCompare(other));
  const total = (some: readonly PlannedDue[]) => showMoney(some.reduce((sum, { net }) => sum + net, 0));
  return (
    <>
      <CardTable
        caption={<Trans>What is due, by day and fee head</Trans>}
        heads={[t`Due on`, ...heads.map(([, head]) => head), t`Total`]}
        rows={days.map(([day, ofDay]) => ({
          key: day,
          cells: [
            showDate(day),
            ...heads.map(([id, head]) => {
              const own = ofDay.filter(({ feeHeadId }) => feeHeadId === id);
              if (own.length === 0) return '';
              const amount = total(own);
              return (
                <Button
                  key={id}
                  kind="quiet"
                  edge="start"
                  aria-label={t`${head}, ${showDate(day)}: ${amount}`}
                  onClick={() => setOpen(own)}
                >
                  {amount}
                </Button>
              );
            }),
            <strong key="total">{total(ofDay)}</strong>,
          ],
        }))}
      />
      {open && <Entries dues={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Entries({ dues, onClose }: { dues: readonly PlannedDue[]; onClose: () => void }) {
  const { t } = useLingui();
  const [due] = dues;
  return (
    <SideDialog title={due ? t`${due.head}, ${showDate(due.dueOn)}` : ''} onClose={onClose}>
      {(close) => (
        <>
          {dues.map(({ id, label, gross, proRata, concession, net, paid, entries }) => (
            <section key={id}>
              <h3>{label}</h3>
              <Facts
                facts={[
                  { label: t`Price`, value: showMoney(gross) },
                  { label: t`Pro-rata`, value: proRata > 0 ? showMoney(-proRata) : '' },
                  { label: t`Concessions`, value: concession > 0 ? showMoney(-concession) : '' },
                  { label: t`Pays`, value: showMoney(net) },
                  { label: t`Paid`, value: showMoney(paid) },
                ]}
              />
              <CardTable
                caption={<Trans>Entries</Trans>}
                heads={[t`Day`, t`Entry`, t`Amount`]}
                rows={entries.map((entry) => ({
                  key: entry.id,
                  cells: [showDate(entry.entryDate), translateOption(entry.kind), showMoney(entry.amount)],
                }))}
              />
            </section>
          ))}
          <Button onClick={close}>
            <Trans>Close</Trans>
          </Button>
        </>
      )}
    </SideDialog>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Alert, Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { observationPages } from '../contract/pages.ts';
import { type VisitState, visitApi, visitList } from '../contract/visit.ts';
import { ScheduleForm } from './ScheduleForm.tsx';
import { visitKinds } from './visit-kinds.ts';

/** /school-erp/staff-observation/staff-observation-list: visits to lessons, and who has been observed. */
export function StaffObservationPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const isCoverage = address.part === 'coverage';
  return (
    <>
      <PageHead title={translate(observationPages[4].title)} />
      <AddressTabs
        label={t`Views`}
        name="part"
        tabs={[
          { key: 'visits', title: t`Visits` },
          { key: 'coverage', title: t`Coverage` },
        ]}
        current={isCoverage ? 'coverage' : 'visits'}
      />
      {isCoverage ? <Coverage /> : <Visits />}
    </>
  );
}

function Visits() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <>
      <RecordList
        list={visitList}
        open={({ id, mayOpen }) =>
          mayOpen
            ? { to: '/school-erp/staff-observation/staff-observation-list/$visitID', params: { visitID: String(id) } }
            : undefined
        }
        cells={{
          state: ({ state }) => <Status kind={visitKinds[state as VisitState]}>{translateOption(state)}</Status>,
          isFlagged: ({ isFlagged }) =>
            isFlagged && (
              <Alert kind="bad">
                <Trans>Critical</Trans>
              </Alert>
            ),
        }}
        onAdd={add}
        empty={{
          message: <Trans>No visits yet. Schedule the first.</Trans>,
          children: (
            <Button kind="main" onClick={add}>
              {t`Add visit`}
            </Button>
          ),
        }}
      />
      {isAdding && <ScheduleForm onClose={() => setAdding(false)} />}
    </>
  );
}

/** The teachers of today with their shared visits in each term; those without one first. */
function Coverage() {
  const { t } = useLingui();
  const coverage = useRead(visitApi.coverage, {});
  return (
    <QueryBoundary query={coverage}>
      {({ terms, rows }) =>
        rows.length === 0 ? (
          <EmptyState message={<Trans>No teachers to observe.</Trans>} />
        ) : (
          <CardTable
            caption={t`Visits by term`}
            heads={[t`Teacher`, t`Department`, ...terms, t`Last visit`]}
            rows={rows.map(({ id, name, department, counts, lastOn, isNew }) => ({
              key: id,
              cells: [
                isNew ? t`${name} (joined this month)` : name,
                department,
                ...counts.map((count, place) =>
                  count === 0 ? (
                    <Chip key={terms[place]} kind="warn">
                      0
                    </Chip>
                  ) : (
                    String(count)
                  ),
                ),
                lastOn && showDate(lastOn),
              ],
            }))}
          />
        )
      }
    </QueryBoundary>
  );
}

import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { hrisMasters } from '#features/hris/contract/masters.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { staffLeaveList } from '../contract/leave.ts';
import { shiftMaster, workdayMasters } from '../contract/masters.ts';
import { hrisMasterPage } from '../contract/pages.ts';
import { usualApi } from '../contract/usual.ts';

// These are opened by their tabs only.
const LeaveTab = lazy(async () => ({ default: (await import('./LeaveTab.tsx')).LeaveTab }));
const AwayTab = lazy(async () => ({ default: (await import('./AwayTab.tsx')).AwayTab }));
const MonthTab = lazy(async () => ({ default: (await import('./MonthTab.tsx')).MonthTab }));

/** The tabs of the list of leave, all within the tab Leave. */
const leaveTabs = Object.fromEntries(Object.keys(staffLeaveList.tabs).map((key) => [key, 'leave']));

/** /school-erp/hris/hris-master: what staff records choose from, the shifts and the leave of the staff. */
export function HrisMasterPage() {
  const mayRead = useMay(staffLeaveList.api.list);
  const mayKeep = useMay(shiftMaster.api.list);
  const lists = { ...listsOf(hrisMasters), ...listsOf(workdayMasters) };
  const withUsual = (key: List) => (
    <>
      <Usual list={key} />
      {lists[key]}
    </>
  );
  return (
    <MastersPage
      page={hrisMasterPage}
      within={leaveTabs}
      bodies={{
        ...(mayKeep && {
          ...lists,
          shift: withUsual('shift'),
          'leave-type': withUsual('leave-type'),
          'leave-rule': withUsual('leave-rule'),
        }),
        ...(mayRead && {
          leave: (
            <Suspense>
              <LeaveTab />
            </Suspense>
          ),
          away: (
            <Suspense>
              <AwayTab />
            </Suspense>
          ),
          month: (
            <Suspense>
              <MonthTab />
            </Suspense>
          ),
        }),
      }}
    />
  );
}

type List = 'shift' | 'leave-type' | 'leave-rule';

/** Offers the usual entries while a list is empty. */
function Usual({ list }: { list: List }) {
  const query = useRead(usualApi.read, {});
  const { run, isBusy, problem } = useAction(usualApi.add);
  if (!query.data?.[list]) return null;
  return (
    <Row gap="8 16" align="center" wrap mb={16}>
      <Text tone="soft">
        <Trans>Shifts, leave types and rules as most schools have them, to change later.</Trans>
      </Text>
      <Button isBusy={isBusy} onClick={() => void run({})}>
        <Trans>Add the usual entries</Trans>
      </Button>
      {problem}
    </Row>
  );
}

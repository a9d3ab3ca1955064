import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { accountList } from '../contract/account.ts';
import { openingImportApi } from '../contract/opening.ts';
import { SelectedActs, useAllActs } from './AccountActs.tsx';
import { ImportOpening } from './ImportOpening.tsx';

/** What each student owes. */
export function AccountList() {
  const [isImporting, setImporting] = useState(false);
  const mayWrite = useMay(openingImportApi.import);
  const { items, dialogs } = useAllActs();
  return (
    <>
      <RecordList
        list={accountList}
        open={({ id }) => ({
          to: '/school-erp/fee/student-wise-fees-structure/$studentID',
          params: { studentID: String(id) },
        })}
        more={
          mayWrite && (
            <>
              {items}
              <Menu.Item onClick={() => setImporting(true)}>
                <Trans>Import opening balances…</Trans>
              </Menu.Item>
            </>
          )
        }
        cells={{
          since: ({ due, since }) => {
            const day = since && showDate(since, today());
            return (due ?? 0) > 0 ? <Overdue>{day}</Overdue> : day;
          },
        }}
        bulk={(selection, clear) => <SelectedActs selection={selection} clear={clear} />}
        empty={{ message: <Trans>No student has a fee plan yet. Make plans in Fee Structure Allocation.</Trans> }}
      />
      {dialogs}
      {isImporting && <ImportOpening onClose={() => setImporting(false)} />}
    </>
  );
}

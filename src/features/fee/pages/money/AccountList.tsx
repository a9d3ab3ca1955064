import { Trans } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { accountList } from '../../contract/money/account.ts';

/** What each student owes. */
export const AccountList = () => (
  <RecordList
    list={accountList}
    open={({ id }) => ({
      to: '/school-erp/fee/student-wise-fees-structure/$studentID',
      params: { studentID: String(id) },
    })}
    empty={{ message: <Trans>No student has a fee plan yet. Make plans in Fee Structure Allocation.</Trans> }}
  />
);

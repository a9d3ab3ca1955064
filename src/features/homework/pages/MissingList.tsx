import { Trans } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { missingList } from '../contract/missing.ts';

/** The students who did not submit homework lately, those with most first. */
export const MissingList = () => (
  <RecordList
    list={missingList}
    open={({ id }) => ({
      to: '/school-erp/homework/homework-list/missing/$studentID',
      params: { studentID: String(id) },
    })}
    empty={{ message: <Trans>No student has missing homework.</Trans> }}
  />
);

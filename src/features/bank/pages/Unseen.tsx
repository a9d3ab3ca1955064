import { Trans } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { unseenList } from '../contract/line.ts';

/** Payments by UPI and transfer that no statement shows although it covers their day. */
export const Unseen = () => (
  <RecordList
    list={unseenList}
    open={() => undefined}
    empty={{
      message: (
        <Trans>
          Statements show every payment of their days. Payments of the last 3 days, and of days without a statement, are
          not listed.
        </Trans>
      ),
    }}
  />
);

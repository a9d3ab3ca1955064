import { Trans } from '@lingui/react/macro';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { accountApi } from '../contract/account.ts';

/** What the school still has of a student’s cancelled payments. */
export function UnplacedOfStudent({ sums }: { sums: OutputOf<typeof accountApi.read>['unplaced'] }) {
  if (sums.length === 0) return null;
  return (
    <ul>
      {sums.map(({ id, day, amount, note }) => (
        <li key={id}>
          <PageLink to="/school-erp/fee/student-wise-fees-structure" search={{ part: 'bank' }}>
            <Trans>{showMoney(amount)} unplaced</Trans>
          </PageLink>{' '}
          <Trans>
            of {showDate(day)}: {note}
          </Trans>
        </li>
      ))}
    </ul>
  );
}

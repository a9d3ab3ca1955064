import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { usePageParts } from '#kit/browser/record/added.tsx';
import { translate } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { studentFeesPage } from '../contract/pages.ts';
import { paymentApi } from '../contract/payment.ts';
import { useMoneyParts } from './money-parts.tsx';

// Each part is loaded when it is opened.
const Counter = lazy(async () => ({ default: (await import('./Counter.tsx')).Counter }));
const CashierDay = lazy(async () => ({ default: (await import('./CashierDay.tsx')).CashierDay }));
const AccountList = lazy(async () => ({ default: (await import('./AccountList.tsx')).AccountList }));

/** /school-erp/fee/student-wise-fees-structure: the counter, and what each student owes. */
export function StudentFeesPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const mayTake = useMay(paymentApi.take);
  const parts = usePageParts(studentFeesPage.path, [
    ...(mayTake
      ? [{ key: 'counter', title: t`Counter`, body: <Counter key={address.student} studentId={address.student} /> }]
      : []),
    { key: 'students', title: t`Students`, body: <AccountList /> },
    ...useMoneyParts(),
  ]);
  const part = parts.find(({ key }) => key === address.part) ?? parts[0];
  return (
    <>
      <PageHead title={translate(studentFeesPage.title)}>
        {part?.key === 'counter' && (
          <Suspense fallback={null}>
            <CashierDay />
          </Suspense>
        )}
      </PageHead>
      {parts.length > 1 && <AddressTabs label={t`Parts of fees`} name="part" tabs={parts} current={part?.key} />}
      <Suspense fallback={null}>{part?.body}</Suspense>
    </>
  );
}

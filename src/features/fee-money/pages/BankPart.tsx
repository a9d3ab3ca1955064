import { useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { usePageParts } from '#kit/browser/record/added.tsx';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { studentFeesPage } from '../contract/pages.ts';
import { Unplaced } from './Unplaced.tsx';

/** Unplaced money, and what features add about the bank. */
export function BankPart() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const parts = usePageParts(`${studentFeesPage.path}/bank`, [
    { key: 'unplaced', title: t`Unplaced money`, body: <Unplaced /> },
  ]);
  const part = parts.find(({ key }) => key === address.inside) ?? parts[0];
  return (
    <>
      {parts.length > 1 && (
        <AddressTabs
          label={t`Parts of the bank`}
          name="inside"
          tabs={parts}
          current={part?.key}
          kept={{ part: 'bank' }}
        />
      )}
      <Suspense fallback={null}>{part?.body}</Suspense>
    </>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { planApi } from '#features/fee-price/contract/plan.ts';
import { DueTable } from '#features/fee-price/ui/DueTable.tsx';
import { WaitingReliefs } from '#features/fee-price/ui/WaitingReliefs.tsx';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { accountApi, accountList, type ReceiptRow } from '../contract/account.ts';
import { studentFeesPage } from '../contract/pages.ts';
import { paymentApi } from '../contract/payment.ts';
import { ApplyAdvance } from './AccountActs.tsx';
import { CancelPayment } from './CancelPayment.tsx';
import { FollowUps } from './FollowUps.tsx';
import { HeldCheques } from './HeldCheques.tsx';
import { ReceiptDialog } from './ReceiptDialog.tsx';
import { Statement } from './Statement.tsx';
import { UnplacedOfStudent } from './UnplacedOfStudent.tsx';

// Opened now and then, and with a form of its own.
const FeeCertificates = lazy(async () => ({ default: (await import('./FeeCertificates.tsx')).FeeCertificates }));

const page = '/school-erp/fee/student-wise-fees-structure/$studentID';

/** /school-erp/fee/student-wise-fees-structure/{studentID}: what a student owes, the receipts, and the statement. */
export function StudentAccountPage() {
  const { studentID } = useParams({ strict: false }) as { studentID: string };
  const { t } = useLingui();
  const account = useRead(accountApi.read, { id: studentID });
  return (
    <>
      {account.error && !account.data && <PageHead title={t`Fees of a student`} />}
      <QueryBoundary query={account}>{(found) => <Account account={found} />}</QueryBoundary>
    </>
  );
}

type AccountData = OutputOf<typeof accountApi.read>;

function Account({ account }: { account: AccountData }) {
  const { t } = useLingui();
  const { studentId, name, grNo, place, balance, due, fine, advance, siblings } = account;
  const mayTake = useMay(paymentApi.take);
  return (
    <RecordPage
      title={t`Fees of ${name}`}
      of={{
        list: accountList,
        id: studentId,
        page: '/school-erp/fee/student-wise-fees-structure',
        title: translate(studentFeesPage.title),
      }}
      about={[grNo, place].filter(Boolean).join(' · ')}
      actions={
        mayTake && (
          <ButtonLink
            kind="main"
            to="/school-erp/fee/student-wise-fees-structure"
            search={{ part: 'counter', student: String(studentId) }}
          >
            <Trans>Take a payment</Trans>
          </ButtonLink>
        )
      }
      parts={[
        {
          key: 'plan',
          title: t`Plan`,
          cards: [
            <RecordCard key="now" title={t`Balance`}>
              <Facts
                facts={[
                  { label: t`Due today`, value: showMoney(due) },
                  { label: t`Late fines`, value: fine > 0 ? showMoney(fine) : '' },
                  { label: t`Advance`, value: advance > 0 ? showMoney(advance) : '' },
                  { label: t`Balance in all`, value: showMoney(balance) },
                ]}
              />
              {advance > 0 && due + fine > 0 && mayTake && <ApplyAdvance studentId={studentId} />}
              <UnplacedOfStudent sums={account.unplaced} />
              <HeldCheques cheques={account.heldCheques} />
            </RecordCard>,
            siblings.length > 0 && <Siblings key="siblings" siblings={siblings} />,
            <PlanCard key="plan" studentId={studentId} />,
            <FollowUps key="calls" studentId={studentId} />,
          ],
        },
        {
          key: 'receipts',
          title: t`Receipts`,
          cards: [
            <Receipts key="receipts" account={account} />,
            <Suspense key="certificates">
              <FeeCertificates studentId={studentId} />
            </Suspense>,
          ],
        },
        { key: 'statement', title: t`Statement`, cards: [<Statement key="statement" studentId={studentId} />] },
      ]}
    />
  );
}

/** The other children of the adults, with what each owes today. */
function Siblings({ siblings }: Pick<AccountData, 'siblings'>) {
  const { t } = useLingui();
  return (
    <RecordCard title={t`Brothers and sisters`}>
      <AmountTable
        caption={<Trans>Brothers and sisters</Trans>}
        heads={[t`Name`, t`Due today`, t`Late fines`]}
        amounts={[t`Due today`, t`Late fines`]}
        rows={siblings.map(({ studentId, name, due, fine }) => ({
          key: studentId,
          cells: [
            <PageLink key="name" to={page} params={{ studentID: String(studentId) }}>
              {name}
            </PageLink>,
            showMoney(due),
            showMoney(fine),
          ],
        }))}
      />
    </RecordCard>
  );
}

function PlanCard({ studentId }: { studentId: number }) {
  const { t } = useLingui();
  const plan = useRead(planApi.read, { id: studentId, yearId: '' });
  return (
    <RecordCard title={t`By due day`} isWide>
      <QueryBoundary query={plan}>
        {({ dues, waiting }) => (
          <>
            <WaitingReliefs reliefs={waiting} />
            {dues.length === 0 ? (
              <EmptyState message={<Trans>No fee plan yet. Make it in Fee Structure Allocation.</Trans>} />
            ) : (
              <DueTable dues={dues} />
            )}
            <PageLink
              to="/school-erp/fee/fee-structure-allocation/plan/$studentID"
              params={{ studentID: String(studentId) }}
            >
              <Trans>The whole plan</Trans>
            </PageLink>
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

function Receipts({ account }: { account: AccountData }) {
  const { t } = useLingui();
  const [shown, setShown] = useState<ReceiptRow>();
  const [cancelled, setCancelled] = useState<ReceiptRow>();
  const { receipts, may } = account;
  return (
    <RecordCard title={t`Receipts`} isWide>
      {receipts.length === 0 && <EmptyState message={<Trans>Nothing is paid yet.</Trans>} />}
      {receipts.length > 0 && (
        <AmountTable
          caption={<Trans>Receipts</Trans>}
          heads={[t`Date`, t`Number`, t`Series`, t`Mode`, t`Amount`, t`Collected by`, t`Status`]}
          amounts={[t`Amount`]}
          rows={receipts.map((receipt) => ({
            key: receipt.id,
            cells: [
              showDate(receipt.date),
              <Button key="number" id={`receipt-${receipt.id}`} kind="link" onClick={() => setShown(receipt)}>
                {receipt.receiptNo}
              </Button>,
              receipt.series,
              [translateOption(receipt.mode), receipt.reference].filter(Boolean).join(', '),
              showMoney(receipt.amount),
              receipt.by,
              receipt.endedAs
                ? t`${translateOption(receipt.endedAs)} on ${showDate(receipt.endedOn)}: ${receipt.endReason}`
                : receipt.isAsked
                  ? t`Cancellation requested`
                  : '',
            ],
            actions: may.cancel && receipt.endedAs === '' && !receipt.isAsked && (
              <Button kind="quiet" aria-label={t`Cancel ${receipt.receiptNo}`} onClick={() => setCancelled(receipt)}>
                <Trans>Cancel</Trans>
              </Button>
            ),
          }))}
        />
      )}
      {shown && <ReceiptDialog receipt={shown} mayPrint={may.cancel} onClose={() => setShown(undefined)} />}
      {cancelled && (
        <CancelPayment
          payment={{ id: cancelled.paymentId, version: cancelled.version, what: cancelled.receiptNo }}
          onClose={() => setCancelled(undefined)}
          onDone={() => document.getElementById(`receipt-${cancelled.id}`)?.focus()}
        />
      )}
    </RecordCard>
  );
}

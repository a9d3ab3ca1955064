import { Trans, useLingui } from '@lingui/react/macro';
import { IconClipboardText, IconFileText } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { ActMenu } from '#kit/browser/ui/ActMenu.tsx';
import { ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { type Account, accountApi } from '../contract/account.ts';
import { accountList } from '../contract/account-list.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { processApi } from '../contract/process.ts';
import { AccountForm } from './account/AccountForm.tsx';
import { AccountLines } from './account/AccountLines.tsx';
import { InquiryStateChip } from './InquiryState.tsx';

/** /school-erp/admission/confirm-admission/{inquiryID}: makes a student of an application, on one screen. */
export function AccountPage() {
  const { t } = useLingui();
  const { inquiryID } = useParams({ strict: false }) as { inquiryID: string };
  const account = useRead(accountApi.read, { id: inquiryID });
  return (
    <>
      {account.error && !account.data && <PageHead title={t`Create Account`} />}
      <QueryBoundary query={account}>{(found) => <AccountOf key={found.id} account={found} />}</QueryBoundary>
    </>
  );
}

function AccountOf({ account }: { account: Account }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const mayOpenInquiry = useMay(inquiryApi.read);
  const mayOpenApplication = useMay(processApi.read);
  const { id, child, inquiryNo, grade, branch, academicYear, quota, state, student, blocks, may } = account;
  const params = { inquiryID: String(id) };
  return (
    <RecordPage
      title={child}
      of={{ list: accountList, id, page: '/school-erp/admission/confirm-admission', title: t`Create Account` }}
      picture={<Portrait name={child} />}
      chips={<InquiryStateChip state={state} />}
      about={[grade, branch, academicYear, translateOption(quota), inquiryNo].join(' · ')}
      actions={
        (mayOpenInquiry || mayOpenApplication) && (
          <ActMenu
            label={t`More for ${child}`}
            groups={[
              [
                mayOpenInquiry && {
                  words: t`Inquiry`,
                  Icon: IconFileText,
                  run: () => navigate({ to: '/school-erp/admission/inquiry/$inquiryID', params }),
                },
                mayOpenApplication && {
                  words: t`Application`,
                  Icon: IconClipboardText,
                  run: () => navigate({ to: '/school-erp/admission/process-admission/$inquiryID', params }),
                },
              ],
            ]}
          />
        )
      }
      parts={[
        {
          key: 'account',
          title: t`Account`,
          cards: [
            student ? (
              <Created key="created" student={student} />
            ) : (
              <RecordCard key="account" isWide title={<Trans>Account</Trans>} isTitleHidden>
                {blocks.map((block) => (
                  <Notice key={block.id}>{translate(block)}</Notice>
                ))}
                {may.create && blocks.length === 0 ? (
                  <AccountForm key={account.version} account={account} />
                ) : (
                  <AccountLines account={account} />
                )}
              </RecordCard>
            ),
          ],
        },
      ]}
    />
  );
}

function Created({ student: { id, name, grNo } }: { student: NonNullable<Account['student']> }) {
  return (
    <RecordCard title={<Trans>Account</Trans>}>
      <Notice kind="good" role="status">
        <Trans>
          {name} is a student with GR number {grNo}.
        </Trans>
      </Notice>
      <CardButtons>
        <ButtonLink kind="main" to="/school-erp/student/student-list/$studentID" params={{ studentID: String(id) }}>
          <Trans>Open the record</Trans>
        </ButtonLink>
        <ButtonLink to="/school-erp/admission/confirm-admission" search={{ tab: 'toCreate' }}>
          <Trans>Next child</Trans>
        </ButtonLink>
      </CardButtons>
    </RecordCard>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { accountApi } from '../contract/account.ts';
import { accountList } from '../contract/account-list.ts';
import { CreateSelected } from './account/CreateSelected.tsx';
import { OfAdmissionYear } from './OfAdmissionYear.tsx';

/** /school-erp/admission/confirm-admission: the children with a confirmed seat, and those who are students since. */
export function AccountListPage() {
  const { t } = useLingui();
  const isKeeper = useMay(accountApi.createMany);
  return (
    <>
      <PageHead title={t`Create Account`} />
      <OfAdmissionYear>
        {(usual) => (
          <RecordList
            usual={usual}
            list={accountList}
            open={({ id }) => ({
              to: '/school-erp/admission/confirm-admission/$inquiryID',
              params: { inquiryID: String(id) },
            })}
            bulk={isKeeper ? (selection, clear) => <CreateSelected selection={selection} clear={clear} /> : undefined}
            empty={{ message: <Trans>No confirmed seats. A child comes here once the admission fee is paid.</Trans> }}
          />
        )}
      </OfAdmissionYear>
    </>
  );
}

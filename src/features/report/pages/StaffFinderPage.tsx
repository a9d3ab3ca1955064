import { Trans, useLingui } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { staffReportList } from '../contract/staff.ts';
import { RecentReports } from './RecentReports.tsx';
import { staffStatusKinds } from './staff-status.ts';

/** /school-erp/report/staff-report: finds the member of staff whose report is read. */
export function StaffFinderPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Staff Report`} />
      <RecordList
        list={staffReportList}
        open={({ id }) => ({ to: '/school-erp/report/staff-report/$userID', params: { userID: String(id) } })}
        notice={<RecentReports kind="staff" />}
        lead={({ name, picture }) => <Initials name={name} picture={picture} />}
        cells={{
          status: ({ status }) => (
            <Status kind={staffStatusKinds[status as keyof typeof staffStatusKinds]}>{translateOption(status)}</Status>
          ),
        }}
        empty={{
          message: <Trans>You read the reports of your branches or departments. They have no staff yet.</Trans>,
        }}
      />
    </>
  );
}

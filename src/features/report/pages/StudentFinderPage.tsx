import { Trans, useLingui } from '@lingui/react/macro';
import { useOtherYear } from '#features/calendar/ui/use-working-year.ts';
import { statusKinds } from '#features/student/ui/status.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { studentReportList } from '../contract/student.ts';
import { SectionPaperButton } from './PaperButton.tsx';
import { RecentReports } from './RecentReports.tsx';

/** /school-erp/report/student-report: finds the student whose report is read. */
export function StudentFinderPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const year = useOtherYear();
  return (
    <>
      <PageHead title={t`Student Report`}>
        {address.sectionId && <SectionPaperButton sectionId={Number(address.sectionId)} />}
      </PageHead>
      <RecordList
        list={studentReportList}
        {...(year && { usual: { yearId: String(year.id) } })}
        {...(year && address.yearId === undefined && { of: `${year.name}-as-on-${year.day}` })}
        open={({ id }) => ({ to: '/school-erp/report/student-report/$studentID', params: { studentID: String(id) } })}
        notice={<RecentReports kind="student" />}
        lead={({ name, picture }) => <Initials name={name} picture={picture} />}
        cells={{
          status: ({ status }) => (
            <Status kind={statusKinds[status as keyof typeof statusKinds]}>{translateOption(status)}</Status>
          ),
        }}
        empty={{ message: <Trans>No students yet.</Trans> }}
      />
    </>
  );
}

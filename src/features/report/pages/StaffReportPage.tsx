import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { TodayStrip } from '#kit/browser/record/TodayStrip.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { staffReportApi, staffReportList } from '../contract/staff.ts';
import { Report, usePeriod } from './Report.tsx';
import { staffStatusKinds } from './staff-status.ts';

/** /school-erp/report/staff-report/{userID}: what the school knows about one member of staff. */
export function StaffReportPage() {
  const { userID } = useParams({ strict: false }) as { userID: string };
  const { t } = useLingui();
  const { to } = usePeriod();
  const report = useReadList(staffReportApi.read, { id: userID, to });
  return (
    <>
      {report.error && !report.data && <PageHead title={t`Staff Report`} />}
      <QueryBoundary query={report}>{(answer) => <StaffReport answer={answer} />}</QueryBoundary>
    </>
  );
}

function StaffReport({ answer }: { answer: OutputOf<typeof staffReportApi.read> }) {
  const { t } = useLingui();
  const { id, name, picture, employeeNumber, designation, department, mobile, status, lastDay } = answer.head;
  const navigate = usePageNavigate();
  const readsList = useMay(staffReportList.api.list);
  const day = lastDay && showDate(lastDay);
  return (
    <Report
      api={staffReportApi}
      kind="staff"
      id={id}
      name={name}
      answer={answer}
      of={
        readsList
          ? { list: staffReportList, id, page: '/school-erp/report/staff-report', title: t`Staff Report` }
          : undefined
      }
      picture={<Portrait name={name} picture={picture} />}
      about={[employeeNumber, designation, department].filter(Boolean).join(' · ')}
      chips={
        <>
          <Status kind={staffStatusKinds[status]}>{translateOption(status)}</Status>
          {day && (
            <span className="soft">
              <Trans>Last day: {day}</Trans>
            </span>
          )}
        </>
      }
      contact={mobile && <PhoneLink mobile={mobile} />}
      onRecord={() => navigate({ to: '/school-erp/staff/view-staff/$userID', params: { userID: String(id) } })}
      today={<TodayStrip endpoint={staffReportApi.today} id={id} />}
    />
  );
}

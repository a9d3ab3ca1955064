import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { studentRecordApi } from '#features/student/contract/record.ts';
import { alertKinds, statusKinds } from '#features/student/ui/status.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { TodayStrip } from '#kit/browser/record/TodayStrip.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { studentReportApi, studentReportList } from '../contract/student.ts';
import { Report, usePeriod } from './Report.tsx';

/** /school-erp/report/student-report/{studentID}: what the school knows about one student. */
export function StudentReportPage() {
  const { studentID } = useParams({ strict: false }) as { studentID: string };
  const { t } = useLingui();
  const { to } = usePeriod();
  const report = useReadList(studentReportApi.read, { id: studentID, to });
  return (
    <>
      {report.error && !report.data && <PageHead title={t`Student Report`} />}
      <QueryBoundary query={report}>{(answer) => <StudentReport answer={answer} />}</QueryBoundary>
    </>
  );
}

function StudentReport({ answer }: { answer: OutputOf<typeof studentReportApi.read> }) {
  const { t } = useLingui();
  const { head } = answer;
  const { id, name, status, leftOn, alert, alertLevel, place, placeRollNo, grNo, house, photo, classTeacher } = head;
  const navigate = usePageNavigate();
  const readsList = useMay(studentReportList.api.list);
  const leftDay = leftOn && showDate(leftOn);
  const about = [place, placeRollNo !== null && t`Roll ${placeRollNo}`, t`GR ${grNo}`, house, classTeacher];
  return (
    <Report
      api={studentReportApi}
      kind="student"
      id={id}
      name={name}
      answer={answer}
      of={
        readsList
          ? {
              list: studentReportList,
              id,
              page: '/school-erp/report/student-report',
              title: t`Student Report`,
              beside: head,
            }
          : undefined
      }
      picture={<Portrait name={name} picture={photo} />}
      about={about.filter(Boolean).join(' · ')}
      chips={
        <>
          <Status kind={statusKinds[status]}>{translateOption(status)}</Status>
          {leftDay && (
            <span className="soft">
              <Trans>Last day: {leftDay}</Trans>
            </span>
          )}
          {alert && <Alert kind={alertKinds[alertLevel]}>{alert}</Alert>}
        </>
      }
      contact={head.family && head.family.siblings.length > 0 && <Family family={head.family} />}
      onRecord={() =>
        navigate({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(id) } })
      }
      today={<TodayStrip endpoint={studentRecordApi.today} id={id} />}
    />
  );
}

type Head = OutputOf<typeof studentReportApi.read>['head'];

/** The brothers and sisters; whom to call is a card. */
const Family = ({ family: { siblings } }: { family: NonNullable<Head['family']> }) => (
  <>
    {siblings.map(({ id, name, section }) => (
      <span key={`${id} ${name}`}>
        {id === null ? (
          name
        ) : (
          <PageLink to="/school-erp/report/student-report/$studentID" params={{ studentID: String(id) }}>
            {name}
          </PageLink>
        )}{' '}
        <span className="soft">{section}</span>
      </span>
    ))}
  </>
);

import { Trans, useLingui } from '@lingui/react/macro';
import { IconPhone } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { alertKinds, statusKinds } from '#features/student/ui/status.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { studentReportApi, studentReportList } from '../contract/student.ts';
import { Report, usePeriod } from './Report.tsx';
import styles from './report.module.css';

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
      contact={head.family && <Family family={head.family} />}
      actions={
        <PageLink
          className={styles.record}
          to="/school-erp/student/student-list/$studentID"
          params={{ studentID: String(id) }}
        >
          <Trans>Record</Trans>
        </PageLink>
      }
    />
  );
}

type Head = OutputOf<typeof studentReportApi.read>['head'];

/** Whom to call, and the brothers and sisters. */
const Family = ({ family: { primary, siblings } }: { family: NonNullable<Head['family']> }) => (
  <>
    {primary && (
      <>
        <IconPhone size={16} aria-hidden /> {primary.name} ({primary.relation}) <PhoneLink mobile={primary.mobile} />
      </>
    )}
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

import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type StudentHead, studentRecordApi } from '../contract/record.ts';

/** Every year of a student at the school, with the sections by date. */
export function EnrollmentCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const enrollment = useRead(studentRecordApi.enrollment, { id: head.id });
  return (
    <RecordCard isWide title={<Trans>Enrolment</Trans>}>
      <QueryBoundary query={enrollment}>
        {({ admittedOn, admittedClass, enrollments }) => {
          const day = showDate(admittedOn);
          return (
            <>
              <p className="soft">
                {admittedClass ? (
                  <Trans>
                    Admitted on {day} in {admittedClass}
                  </Trans>
                ) : (
                  <Trans>Admitted on {day}</Trans>
                )}
              </p>
              {enrollments.length === 0 ? (
                <EmptyState message={<Trans>Not enrolled yet.</Trans>} />
              ) : (
                <ListRows
                  caption={t`Enrolment`}
                  heads={[t`Year`, t`Grade`, t`Section`, t`From`, t`Until`, t`Status`]}
                  rows={enrollments.map(({ id, year, grade, sections, joinedOn, leftOn, status }) => ({
                    key: id,
                    cells: [
                      year,
                      grade,
                      <Sections key="sections" sections={sections} />,
                      showDate(joinedOn),
                      leftOn && showDate(leftOn),
                      translateOption(status),
                    ],
                  }))}
                />
              )}
            </>
          );
        }}
      </QueryBoundary>
    </RecordCard>
  );
}

interface Section {
  name: string;
  rollNo: number | null;
  from: string;
  until: string;
}

const Sections = ({ sections }: { sections: Section[] }) =>
  sections.map(({ name, rollNo, from, until }) => {
    const [first, last] = [showDate(from), until && showDate(until)];
    return (
      <div key={from}>
        {name}
        {rollNo !== null && (
          <>
            {' · '}
            <Trans>Roll {rollNo}</Trans>
          </>
        )}
        {last && (
          <span className="soft">
            {' '}
            <Trans>
              {first} to {last}
            </Trans>
          </span>
        )}
      </div>
    );
  });

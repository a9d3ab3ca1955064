import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { AddInAcademicMaster } from '#features/calendar/ui/AddInAcademicMaster.tsx';
import { ClosedYear } from '#features/calendar/ui/ClosedYear.tsx';
import { WorkingYear } from '#features/calendar/ui/WorkingYear.tsx';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { FilterDay } from '#kit/browser/list/FilterDay.tsx';
import { Filters, FiltersButton } from '#kit/browser/list/Filters.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { RecordPicker } from '#kit/browser/master/RecordPicker.tsx';
import { translate } from '#kit/browser/text.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import { sectionStudentPage } from '../contract/pages.ts';
import { sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './grade-of-year.ts';
import { PlaceStudents } from './PlaceStudents.tsx';
import { RollNumbers } from './RollNumbers.tsx';
import './section-student.css';
import { Notice } from '#kit/browser/ui/Notice.tsx';

// Promotions are made once a year.
const PromoteStudents = lazy(async () => ({ default: (await import('./PromoteStudents.tsx')).PromoteStudents }));
const PromotionLists = lazy(async () => ({ default: (await import('./PromotionLists.tsx')).PromotionLists }));

/** /school-erp/academic/section-student-mapping: the students of each section. */
export function SectionStudentPage() {
  const bodies = {
    place: <GradePart part="place" />,
    roll: <GradePart part="roll" />,
    promote: <GradePart part="promote" />,
  };
  return <MastersPage page={sectionStudentPage} bodies={bodies} keeps={['grade', 'section']} />;
}

type Part = 'place' | 'roll' | 'promote';

const GradePart = ({ part }: { part: Part }) => (
  <WorkingYear>{(year, { next }) => <OfYear key={year.id} part={part} year={year} next={next} />}</WorkingYear>
);

interface YearProps {
  part: Part;
  year: AcademicYear;
  next: AcademicYear | undefined;
}

/** Begins with the grade that was used last, or the first one that has sections. */
function OfYear({ part, year, next }: YearProps) {
  const grades = useRead(sectionStudentApi.grades, { academicYearId: year.id });
  return (
    <QueryBoundary query={grades}>
      {(preferred) => (
        <RecordPicker
          master={gradeMaster}
          keeps={['on']}
          preferred={preferred}
          keptAs="grade"
          none={<AddInAcademicMaster tab="grade" message={<Trans>No {translate(gradeMaster.plural)} yet.</Trans>} />}
        >
          {({ id }, choice) => {
            const at = { academicYearId: year.id, gradeId: id };
            return <Grade key={`${id} ${part}`} part={part} year={year} next={next} at={at} choice={choice} />;
          }}
        </RecordPicker>
      )}
    </QueryBoundary>
  );
}

interface GradeProps extends YearProps {
  at: GradeOfYear;
  /** Where the grade is chosen. */
  choice: ReactNode;
}

function Grade({ part, year, next, at, choice }: GradeProps) {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const { attempt, problem } = useAttempt();
  const [isOpen, setOpen] = useState(false);
  const filter = { ...at, on: part === 'place' ? (address.on ?? '') : '' };
  const query = useReadList(sectionStudentApi.overview, filter);
  const download = useDownload();
  const save = (as: TableKind, what: 'list' | 'strength') =>
    attempt(() =>
      download(
        sectionStudentApi.export,
        { ...filter, sectionId: '', what, as },
        `${what === 'list' ? 'class-list' : 'strength'}.${as}`,
      ),
    );
  return (
    <>
      <div className="list-head">
        <Filters isInHead>
          {choice}
          {part === 'place' && (
            <>
              <FiltersButton count={address.on ? 1 : 0} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
              <div className="placing-day" data-folded={!isOpen || undefined}>
                <FilterDay
                  label={t`Effective from`}
                  value={query.data?.on ?? ''}
                  onChange={(on) => go({ ...address, on })}
                />
              </div>
            </>
          )}
        </Filters>
        {part === 'place' && (
          <div className="list-buttons" data-folded={!isOpen || undefined}>
            <ExportMenu words={<Trans>Class list</Trans>} onExport={(as) => save(as, 'list')} />
            <ExportMenu words={<Trans>Strength</Trans>} onExport={(as) => save(as, 'strength')} />
          </div>
        )}
      </div>
      {problem}
      <QueryBoundary query={query}>
        {(overview) => (
          <>
            {overview.isClosed && (
              <Notice>
                <ClosedYear />
              </Notice>
            )}
            <Body part={part} year={year} next={next} at={at} overview={overview} />
          </>
        )}
      </QueryBoundary>
    </>
  );
}

interface BodyProps extends YearProps {
  at: GradeOfYear;
  overview: OutputOf<typeof sectionStudentApi.overview>;
}

function Body({ part, year, next, at, overview }: BodyProps) {
  if (part === 'promote') {
    return (
      <Suspense fallback={null}>
        {!overview.isClosed && <PromoteStudents year={year} next={next} at={at} />}
        <PromotionLists at={at} />
      </Suspense>
    );
  }
  if (overview.sections.length === 0) {
    return <AddInAcademicMaster tab="section" message={<Trans>No sections yet.</Trans>} />;
  }
  return part === 'place' ? (
    <PlaceStudents at={at} overview={overview} />
  ) : (
    <RollNumbers at={at} year={year} overview={overview} />
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { teacherGapApi } from '../contract/teacher-gap.ts';

/** The dashboard's card of missing teachers; nothing while there are none. */
export function TeacherGaps() {
  const year = useWorkingYear();
  return year && <Gaps year={year} />;
}

function Gaps({ year: { id, name } }: { year: AcademicYear }) {
  const { t } = useLingui();
  const query = useRead(teacherGapApi.count, { academicYearId: id });
  return (
    <QueryBoundary query={query}>
      {({ leaders, subjects }) =>
        leaders + subjects > 0 && (
          <Notice as="section" aria-label={t`Missing teachers`}>
            <PageLink to="/school-erp/academic/section-teacher-mapping" search={{ show: 'gaps' }}>
              <Trans>Sections without a class teacher: {leaders}</Trans> ·{' '}
              <Trans>subjects without a teacher: {subjects}</Trans>
            </PageLink>{' '}
            <span className="soft">{name}</span>
          </Notice>
        )
      }
    </QueryBoundary>
  );
}

import { Plural } from '@lingui/react/macro';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { CopyFromYear } from '#features/calendar/ui/CopyFromYear.tsx';
import { sectionTeacherApi } from '../contract/section-teacher.ts';

/** Copies the assignments at the end of the year before. */
export const CopyTeachers = ({ from, to }: { from: AcademicYear; to: AcademicYear }) => (
  <CopyFromYear endpoint={sectionTeacherApi.copy} from={from} to={to}>
    {(added) => (
      <Plural
        value={added}
        one={`# entry will be copied from ${from.name} to ${to.name}.`}
        other={`# entries will be copied from ${from.name} to ${to.name}.`}
      />
    )}
  </CopyFromYear>
);

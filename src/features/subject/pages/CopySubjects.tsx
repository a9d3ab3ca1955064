import { Plural } from '@lingui/react/macro';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { CopyFromYear } from '#features/calendar/ui/CopyFromYear.tsx';
import { gradeSubjectApi } from '../contract/grade-subject.ts';

/** Copies the subjects of the year before into this one. */
export const CopySubjects = ({ from, to }: { from: AcademicYear; to: AcademicYear }) => (
  <div className="list-buttons">
    <CopyFromYear endpoint={gradeSubjectApi.copy} from={from} to={to}>
      {(added) => (
        <Plural
          value={added}
          one={`# entry will be copied from ${from.name} to ${to.name}.`}
          other={`# entries will be copied from ${from.name} to ${to.name}.`}
        />
      )}
    </CopyFromYear>
  </div>
);

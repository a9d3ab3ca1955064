import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { sectionTeacherApi, teacherFile } from '../contract/section-teacher.ts';

/** Takes a file of who teaches what in a year, as the export gives it. */
export function ImportTeachers({ year: { id, name } }: { year: AcademicYear }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Import…</Trans>
      </Button>
      {isOpen && (
        <FileImport
          title={t`Import teachers of ${name}`}
          about={t`Export the list first: it names each place without anybody. Write a teacher there, or the last day of who ends. Nobody is removed.`}
          heads={Object.values(teacherFile).map(({ label }) => label)}
          name="section-teachers"
          endpoint={sectionTeacherApi.import}
          hiddenValues={{ academicYearId: id }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

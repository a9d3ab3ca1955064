import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { teacherFile, teacherImportApi } from '../contract/section-teacher.ts';

/** Imports the assignments of a year from a file such as the export. */
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
          title={t`Import teachers for ${name}`}
          about={t`A sheet with class, division and teacher, or the exported list with teachers or last days filled in. An import never removes a teacher.`}
          fields={teacherFile}
          name="section-teachers"
          api={teacherImportApi}
          hiddenValues={{ academicYearId: id }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

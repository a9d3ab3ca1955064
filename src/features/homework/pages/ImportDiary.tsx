import { useLingui } from '@lingui/react/macro';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { diaryFile, diaryImportApi } from '../contract/import.ts';

/** Gives the homework of a sheet, such as a diary that is kept elsewhere. */
export function ImportDiary({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import homework`}
      about={t`A row for each section and homework. A row becomes a draft, or is published on its day at 16:00. A day of this week that has passed is given late: families read it on their page and get no message.`}
      fields={diaryFile}
      name="homework-diary"
      api={diaryImportApi}
      hiddenValues={{}}
      onClose={onClose}
    />
  );
}

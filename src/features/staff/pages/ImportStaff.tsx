import { useLingui } from '@lingui/react/macro';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { staffFile, staffImportApi } from '../contract/import.ts';

/** Brings staff from a spreadsheet. */
export function ImportStaff({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import staff`}
      heads={Object.values(staffFile).map(({ label }) => label)}
      name="staff"
      api={staffImportApi}
      hiddenValues={{}}
      onClose={onClose}
    />
  );
}

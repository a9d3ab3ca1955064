import { useLingui } from '@lingui/react/macro';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { staffFile, staffImportApi } from '../contract/import.ts';
import { staffList } from '../contract/list.ts';

/** Brings staff from a spreadsheet. */
export function ImportStaff({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import staff`}
      fields={staffFile}
      singular={staffList.singular}
      plural={staffList.plural}
      name="staff"
      api={staffImportApi}
      hiddenValues={{}}
      onClose={onClose}
    />
  );
}

import { useLingui } from '@lingui/react/macro';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { inquiryFile, inquiryImportApi } from '../contract/import.ts';
import { inquiryList } from '../contract/list.ts';

/** Brings inquiries from a spreadsheet. */
export function ImportInquiries({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import inquiries`}
      fields={inquiryFile}
      singular={inquiryList.singular}
      plural={inquiryList.plural}
      name="inquiries"
      api={inquiryImportApi}
      hiddenValues={{}}
      onClose={onClose}
    />
  );
}

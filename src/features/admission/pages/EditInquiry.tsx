import { useLingui } from '@lingui/react/macro';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { type InquiryRecord, inquiryApi } from '../contract/inquiry.ts';
import { inquiryFields } from '../contract/record.ts';
import { InquiryFields } from './InquiryFields.tsx';

interface Props {
  record: InquiryRecord;
  child: string;
  onClose: () => void;
}

/** Edits an inquiry. */
export function EditInquiry({ record: { id, version, values }, child, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Edit ${child}`}
      endpoint={inquiryApi.update}
      initial={{ ...typedOf(inquiryFields, values), hasOneName: values.lastName === '' }}
      hiddenValues={{ id, version }}
      fields={inquiryFields}
      onClose={onClose}
    >
      <InquiryFields />
    </RecordForm>
  );
}

import { useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { differencesOf, type SavedVersion, typedOf } from '#kit/browser/record/versions.ts';
import { type InquiryRecord, inquiryApi } from '../contract/inquiry.ts';
import { inquiryFields } from '../contract/record.ts';
import { InquiryFields } from './InquiryFields.tsx';

interface Props {
  record: InquiryRecord;
  close: () => void;
  isChanged: RefObject<boolean>;
}

/** Edits an inquiry. */
export function EditInquiry({ record, ...dialog }: Props) {
  const { t } = useLingui();
  return (
    <EditForm
      endpoint={inquiryApi.update}
      label={t`Inquiry`}
      initial={typedOf(inquiryFields, record.values)}
      hiddenValues={{ id: record.id, version: record.version }}
      newerOf={(data, mine): Newer => {
        const saved = data as unknown as SavedVersion;
        return {
          values: typedOf(inquiryFields, saved.saved),
          hiddenValues: { version: saved.version },
          differences: differencesOf(inquiryFields, saved, mine, t`As chosen below`),
        };
      }}
      {...dialog}
    >
      <InquiryFields />
    </EditForm>
  );
}

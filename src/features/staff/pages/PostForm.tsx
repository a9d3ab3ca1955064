import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { staleMessage } from '#kit/contract/errors.ts';
import { postFields, type StaffPost, type StaffRecord, staffRecordApi } from '../contract/record.ts';

interface Props {
  record: StaffRecord;
  /** What the person works as so far. */
  post: StaffPost | undefined;
  onClose: () => void;
}

/** Another post from a day on. */
export function PostForm({ record: { id, version }, post, onClose }: Props) {
  const { t } = useLingui();
  const [isStale, setStale] = useState(false);
  return (
    <RecordForm
      title={t`Change post…`}
      endpoint={staffRecordApi.savePost}
      initial={{ from: today(), ...typedOf(postFields, post?.values ?? {}) }}
      hiddenValues={{ id, version }}
      notice={isStale && <Notice role="alert">{translate(staleMessage)}</Notice>}
      onStale={() => setStale(true)}
      onClose={onClose}
    >
      <DateField name="from" hint={<Trans>The previous post ends the day before.</Trans>} />
      <FieldControls fields={postFields} without={{ reportsToId: id }} />
    </RecordForm>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { staleMessage } from '#kit/contract/errors.ts';
import { postFields, type StaffPost, type StaffRecord, staffRecordApi } from '../contract/record.ts';

interface Props {
  record: StaffRecord;
  /** What the person works as so far. */
  post: StaffPost | undefined;
  close: () => void;
  isChanged: RefObject<boolean>;
}

/** Another post from a day on. */
export function PostForm({ record: { id, version }, post, close, isChanged }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [isStale, setStale] = useState(false);
  return (
    <>
      {isStale && <Notice role="alert">{translate(staleMessage)}</Notice>}
      <ApiForm
        endpoint={staffRecordApi.savePost}
        initial={{ from: today(), ...typedOf(postFields, post?.values ?? {}) }}
        hiddenValues={{ id, version }}
        label={t`Change post…`}
        onStale={() => setStale(true)}
        onDone={() => {
          close();
          toast({ kind: 'success', title: t`Saved.` });
        }}
        buttons={(isSending, hasChanged) => {
          isChanged.current = hasChanged;
          return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
        }}
      >
        <DateField name="from" hint={<Trans>The post before it ends the day before.</Trans>} />
        <FieldControls fields={postFields} without={{ reportsToId: id }} />
      </ApiForm>
    </>
  );
}

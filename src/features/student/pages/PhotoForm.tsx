import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { noPhoto, photoApi } from '../contract/photo.ts';
import type { StudentHead } from '../contract/record.ts';

/** Buttons that set and remove a student's photo. */
export function PhotoForm({ head: { id, name, photo } }: { head: StudentHead }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(photoApi.removePhoto);
  return (
    <>
      <FormOpener title={t`Photo of ${name}`} kind="plain" label={<Trans>Photo…</Trans>}>
        {(onClose) => (
          <RecordForm
            title={t`Photo of ${name}`}
            endpoint={photoApi.savePhoto}
            initial={{}}
            hiddenValues={{ id }}
            validate={(_, files): FieldErrors => (files.photo ? {} : { photo: noPhoto })}
            status={<UploadStatus />}
            onClose={onClose}
          >
            <UploadField name="photo" hint={<Trans>PNG or JPG, at most 2 MB.</Trans>} stored={photo || undefined} />
          </RecordForm>
        )}
      </FormOpener>
      {photo && (
        <ConfirmButton
          name={t`Remove the photo of ${name}`}
          look="plain"
          label={<Trans>Remove photo</Trans>}
          question={<Trans>Remove the photo of {name}?</Trans>}
          confirm={<Trans>Remove</Trans>}
          onConfirm={async () => {
            if (await remove.run({ id })) toast({ kind: 'success', title: t`Removed.` });
          }}
        />
      )}
      {remove.problem}
    </>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { PictureOpener } from '#kit/browser/record/PictureOpener.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { noPhoto, photoApi } from '../contract/photo.ts';
import type { StudentHead } from '../contract/record.ts';

/** A student's photo, and the form that sets or removes it. */
export function PhotoForm({ head: { id, name, photo } }: { head: StudentHead }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(photoApi.removePhoto);
  const title = t`Photo of ${name}`;
  return (
    <PictureOpener name={name} picture={photo} title={title}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={photoApi.savePhoto}
          initial={{}}
          hiddenValues={{ id }}
          validate={(_, files): FieldErrors => (files.photo ? {} : { photo: noPhoto })}
          notice={remove.problem}
          status={<UploadStatus />}
          onClose={onClose}
        >
          {(close) => (
            <>
              <UploadField name="photo" hint={<Trans>PNG or JPG, at most 2 MB.</Trans>} stored={photo || undefined} />
              {photo && (
                <ConfirmButton
                  name={t`Remove photo of ${name}`}
                  edge="start"
                  label={<Trans>Remove photo</Trans>}
                  question={<Trans>Remove the photo of {name}?</Trans>}
                  confirm={<Trans>Remove</Trans>}
                  onConfirm={async () => {
                    if (!(await remove.run({ id }))) return;
                    close();
                    toast({ kind: 'success', title: t`Removed.` });
                  }}
                />
              )}
            </>
          )}
        </RecordForm>
      )}
    </PictureOpener>
  );
}

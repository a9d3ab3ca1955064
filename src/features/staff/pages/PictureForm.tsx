import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useAction } from '#kit/browser/data/action.ts';
import { readChanged } from '#kit/browser/data/read.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { PictureOpener } from '#kit/browser/record/PictureOpener.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import type { StaffRecord } from '../contract/record.ts';
import { noPicture, staffApi } from '../contract/staff.ts';

/** The picture, and its form for the person and the keepers of the records. */
export function PictureForm({ record: { id, isOwn, card } }: { record: StaffRecord }) {
  const { t } = useLingui();
  const { name, picture } = card;
  const router = useRouter();
  const toast = useToast();
  const remove = useAction(staffApi.removePicture);
  const title = t`Picture of ${name}`;
  const done = async () => {
    if (!isOwn) return;
    // The header shows it too; the form reads changed data only after this.
    await readChanged(staffApi.savePicture);
    await router.invalidate();
  };
  return (
    <PictureOpener name={name} picture={picture} title={title}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={staffApi.savePicture}
          initial={{}}
          hiddenValues={{ id }}
          validate={(_, files): FieldErrors => (files.picture ? {} : { picture: noPicture })}
          notice={remove.problem}
          status={<UploadStatus />}
          onDone={done}
          onClose={onClose}
        >
          {(close) => (
            <>
              <UploadField
                name="picture"
                hint={<Trans>PNG or JPG, at most 2 MB.</Trans>}
                stored={picture || undefined}
              />
              {picture && (
                <ConfirmButton
                  name={t`Remove picture`}
                  edge="start"
                  label={<Trans>Remove picture</Trans>}
                  question={<Trans>Remove the picture of {name}?</Trans>}
                  confirm={<Trans>Remove</Trans>}
                  onConfirm={async () => {
                    if (!(await remove.run({ id }))) return;
                    close();
                    await done();
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

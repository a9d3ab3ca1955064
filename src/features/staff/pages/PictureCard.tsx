import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { readChanged } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import type { StaffRecord } from '../contract/record.ts';
import { noPicture, staffApi } from '../contract/staff.ts';

/** The picture, for the person and the keepers of the records. */
export function PictureCard({ record: { id, isOwn, card } }: { record: StaffRecord }) {
  const { t } = useLingui();
  const { name, picture } = card;
  const router = useRouter();
  const toast = useToast();
  const remove = useAction(staffApi.removePicture);
  const section = useRef<HTMLElement>(null);
  const done = async (words: string) => {
    if (isOwn) {
      // The header shows it too; the form reads changed data only after this.
      await readChanged(staffApi.savePicture);
      await router.invalidate();
    }
    toast({ kind: 'success', title: words });
  };
  return (
    <RecordCard ref={section} isWide title={<Trans>Picture</Trans>} isTitleHidden>
      <ApiForm
        endpoint={staffApi.savePicture}
        initial={{}}
        hiddenValues={{ id }}
        resetsAfterSend
        validate={(_, files): FieldErrors => (files.picture ? {} : { picture: noPicture })}
        onDone={() => done(t`Saved.`)}
        label={t`Picture`}
        buttons={(isSending) => (
          <>
            <UploadStatus />
            <Button type="submit" isBusy={isSending}>
              <Trans>Save picture</Trans>
            </Button>
            {picture && (
              <ConfirmButton
                name={t`Remove picture`}
                label={<Trans>Remove</Trans>}
                question={<Trans>Remove the picture of {name}?</Trans>}
                confirm={<Trans>Remove</Trans>}
                onConfirm={async () => {
                  if (!(await remove.run({ id }))) return;
                  await done(t`Removed.`);
                  section.current?.focus(); // The pressed button is gone with the picture.
                }}
              />
            )}
            {remove.problem}
          </>
        )}
      >
        <UploadField name="picture" hint={<Trans>PNG or JPG, at most 2 MB.</Trans>} stored={picture || undefined} />
      </ApiForm>
    </RecordCard>
  );
}

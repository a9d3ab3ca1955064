import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { CancelUpload, UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { showSize } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Announcement, announcementApi } from '../contract/announcement.ts';

/** The files of the current text; its writers add and remove them. */
export function Files({ announcement: { id, files, may } }: { announcement: Announcement }) {
  const { t } = useLingui();
  const toast = useToast();
  const remove = useAction(announcementApi.removeFile);
  if (files.length === 0 && !may.edit) return null;
  return (
    <section aria-label={t`Files`}>
      {files.length > 0 && (
        <ul>
          {files.map(({ id: file, name, size }) => (
            <li key={file}>
              <ButtonAnchor
                kind="quiet"
                href={`/api/announcement/${id}/file/${file}`}
                target="_blank"
                rel="noreferrer"
                aria-label={t`View ${name}, opens in a new tab`}
              >
                {name}
              </ButtonAnchor>{' '}
              <span className="soft">{showSize(size)}</span>
              {may.edit && (
                <ConfirmButton
                  name={t`Remove ${name}`}
                  label={<Trans>Remove</Trans>}
                  question={<Trans>Remove {name}?</Trans>}
                  confirm={<Trans>Remove</Trans>}
                  onConfirm={async () => {
                    if (await remove.run({ id, file })) toast({ kind: 'success', title: t`Removed.`, of: name });
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {may.edit && (
        <FormOpener title={t`Add a file`} label={<Trans>Add a file…</Trans>}>
          {(close) => (
            <RecordForm
              title={t`Add a file`}
              endpoint={announcementApi.addFile}
              initial={{}}
              hiddenValues={{ id }}
              words={<Trans>Add</Trans>}
              saved={t`The file was added.`}
              buttons={<CancelUpload />}
              status={<UploadStatus />}
              onClose={close}
            >
              <UploadField name="file" />
            </RecordForm>
          )}
        </FormOpener>
      )}
      {remove.problem}
    </section>
  );
}

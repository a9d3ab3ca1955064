import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import type { Values } from '#kit/browser/form/form-context.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { CancelUpload, UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { fileApi } from '../contract/file.ts';
import type { Homework } from '../contract/homework.ts';
import { mostFiles } from '../contract/words.ts';

const noFile = text`Choose a file.`;
const needFile = (_: Values, chosen: Record<string, File>): FieldErrors => (chosen.file ? {} : { file: noFile });

/** The files of homework, which all its sections have. */
export function FilesCard({ homework: { id, files, may } }: { homework: Homework }) {
  const { t } = useLingui();
  const remove = useAction(fileApi.dropFile);
  const section = useRef<HTMLElement>(null);
  const add = may.change && files.length < mostFiles && (
    <FormOpener title={t`Add file`} label={<Trans>Add file</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Add file`}
          endpoint={fileApi.addFile}
          initial={{}}
          hiddenValues={{ id }}
          validate={needFile}
          words={<Trans>Add</Trans>}
          saved={t`Added.`}
          status={<UploadStatus />}
          buttons={<CancelUpload />}
          onClose={onClose}
        >
          <UploadField name="file" hint={<Trans>JPG, PNG or PDF, at most 4 MB.</Trans>} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard ref={section} isWide title={<Trans>Files</Trans>} actions={add}>
      {remove.problem}
      {files.length === 0 ? (
        <EmptyState message={<Trans>No files.</Trans>} />
      ) : (
        <ListRows
          caption={<Trans>Files</Trans>}
          heads={[t`File`]}
          rows={files.map((file) => ({
            key: file.id,
            cells: [file.name],
            actions: (
              <>
                <ButtonAnchor
                  kind="quiet"
                  href={`/api/homework/${id}/file/${file.id}`}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t`View ${file.name}, opens in a new tab`}
                >
                  <Trans>View</Trans>
                </ButtonAnchor>
                {may.change && (
                  <ConfirmButton
                    name={t`Remove ${file.name}`}
                    label={<Trans>Remove</Trans>}
                    question={<Trans>Remove {file.name} from the homework of all sections?</Trans>}
                    confirm={<Trans>Remove</Trans>}
                    onConfirm={async () => {
                      if (await remove.run({ id, file: file.id })) section.current?.focus();
                    }}
                  />
                )}
              </>
            ),
          }))}
        />
      )}
    </RecordCard>
  );
}

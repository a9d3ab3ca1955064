import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button, ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { AppError } from '#kit/contract/errors.ts';
import { uploadMessages } from '#kit/contract/uploads.ts';
import { fileApi } from '../contract/file.ts';
import type { Homework } from '../contract/homework.ts';
import { mostFiles } from '../contract/words.ts';
import { FilesField } from './FilesField.tsx';
import { useSendFiles } from './use-send-files.ts';

/** The files of homework, which all its sections have. */
export function FilesCard({ homework: { id, files, may } }: { homework: Homework }) {
  const { t } = useLingui();
  const remove = useAction(fileApi.dropFile);
  const section = useRef<HTMLElement>(null);
  const add = may.change && files.length < mostFiles && (
    <FormOpener title={t`Add files`} label={<Trans>Add files</Trans>}>
      {(onClose) => (
        <SideDialog title={t`Add files`} onClose={onClose}>
          {(close) => <AddFiles id={id} had={files.length} onDone={close} />}
        </SideDialog>
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

function AddFiles({ id, had, onDone }: { id: number; had: number; onDone: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const sendFiles = useSendFiles();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isTaking, setTaking] = useState(false);
  const { attempt, isBusy, problem } = useAttempt();
  const send = () =>
    attempt(async () => {
      const failed = await sendFiles(id, files);
      // Those that arrived are not sent again.
      setFiles(failed);
      const [first] = failed;
      if (first) throw new AppError('unavailable', uploadMessages.failed);
      toast({ kind: 'success', title: t`Added.` });
      onDone();
    });
  return (
    <>
      <FilesField files={files} onChange={setFiles} onTaking={setTaking} had={had} />
      {problem}
      <Button kind="main" isBusy={isBusy} disabled={files.length === 0 || isTaking} onClick={() => void send()}>
        <Trans>Add</Trans>
      </Button>
    </>
  );
}

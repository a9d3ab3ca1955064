import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { saveFile } from '#kit/browser/data/save-file.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { FileButton } from '#kit/browser/ui/FileButton.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { importBytes, mostImported } from '#kit/contract/import-limits.ts';
import type { ImportEndpoint } from '#kit/contract/master.ts';
import { type Text, text } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import { ImportPreview } from './ImportPreview.tsx';

interface Props<Operation extends ImportEndpoint> {
  title: string;
  /** The purpose of the file, where it is not obvious. */
  about?: string;
  /** The columns the file may have. */
  heads: readonly Text[];
  /** The name of the empty file, without its ending. */
  name: string;
  endpoint: Operation;
  /** The input sent with the file. */
  hiddenValues: Omit<InputOf<Operation>, 'file' | 'confirmToken'>;
  onClose: () => void;
  /** A description of the file, where its columns are not those of the list. */
  children?: ReactNode;
}

/** Takes a CSV file, previews each of its rows, and imports them after confirmation. */
export function FileImport<Operation extends ImportEndpoint>(props: Props<Operation>) {
  const { title, about, heads, name, endpoint, hiddenValues, onClose, children } = props;
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview<ImportEndpoint>(endpoint);
  const [fileName, setFileName] = useState('');
  const answer = preview.shown?.answer;

  const look = async (chosen: File | undefined) => {
    if (preview.isBusy) return;
    preview.close();
    setFileName('');
    if (!chosen) return;
    await preview.show(async () => {
      if (chosen.size > importBytes)
        throw new AppError('invalid', text`Too much data for one import. Import it in parts.`);
      const file = new TextDecoder().decode(await chosen.arrayBuffer());
      setFileName(chosen.name);
      return { ...hiddenValues, file };
    });
  };
  const confirm = async (close: () => void) => {
    if (!(await preview.apply())) return;
    close();
    toast({ kind: 'success', title: t`Imported.` });
  };
  const todo = (answer?.counts.added ?? 0) + (answer?.counts.changed ?? 0);
  return (
    <SideDialog title={title} about={about} onClose={onClose}>
      {(close) => (
        <>
          <p>
            {children ?? (
              <Trans>
                A CSV file with the columns of the list, at most {mostImported} rows. You will see a preview first.
              </Trans>
            )}
          </p>
          <p>
            <Button
              kind="link"
              onClick={() =>
                saveFile(
                  new Blob([`\uFEFF${heads.map((head) => `"${translate(head)}"`).join(',')}\r\n`], {
                    type: 'text/csv',
                  }),
                  `${name}.csv`,
                )
              }
            >
              <Trans>Download a template</Trans>
            </Button>
          </p>
          <p className={styles.file}>
            <FileButton accept=".csv,text/csv" onChoose={look}>
              {fileName ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
            </FileButton>{' '}
            {fileName && <span className="soft">{fileName}</span>}
          </p>
          {preview.problem}
          {preview.isBusy && (
            <p role="status" className="soft">
              <Trans>Reading the file…</Trans>
            </p>
          )}
          {answer && <ImportPreview answer={answer} remedy={<Trans>Correct the rows and try again.</Trans>} />}
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            {answer?.confirmToken && todo > 0 && (
              <Button kind="main" isBusy={preview.isBusy} onClick={() => confirm(close)}>
                <Plural value={todo} one="Import # row" other="Import # rows" />
              </Button>
            )}
          </DialogButtons>
        </>
      )}
    </SideDialog>
  );
}

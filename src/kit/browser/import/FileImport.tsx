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
import { csvText } from '#kit/contract/csv.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { importBytes, mostImported, reasonsHead, workbookMark } from '#kit/contract/import-limits.ts';
import type { ImportAnswer, ImportEndpoint } from '#kit/contract/master.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import { ImportPreview } from './ImportPreview.tsx';
import { MatchColumns } from './MatchColumns.tsx';

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

/** Takes a CSV file or a workbook, previews each of its rows, and imports them after confirmation. */
export function FileImport<Operation extends ImportEndpoint>(props: Props<Operation>) {
  const { title, about, heads, name, endpoint, hiddenValues, onClose, children } = props;
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview<ImportEndpoint>(endpoint);
  const [chosen, setChosen] = useState<{ name: string; file: string; columns: Record<string, string> }>();
  const answer = preview.shown?.answer;
  const unknown = preview.data?.heads as string[] | undefined;

  const look = async (given: File | undefined) => {
    if (preview.isBusy) return;
    preview.close();
    setChosen(undefined);
    if (!given) return;
    await preview.show(async () => {
      if (given.size > importBytes)
        throw new AppError('invalid', text`Too much data for one import. Import it in parts.`);
      const file = await textOf(given);
      setChosen({ name: given.name, file, columns: {} });
      return { ...hiddenValues, file };
    });
  };
  const match = async (matched: Record<string, string>) => {
    if (!chosen) return;
    const columns = { ...chosen.columns, ...matched };
    setChosen({ ...chosen, columns });
    await preview.show({ ...hiddenValues, file: chosen.file, columns });
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
                An Excel or CSV file with the columns of the list, at most {mostImported} rows. You will see a preview
                first.
              </Trans>
            )}
          </p>
          <p>
            <Button
              kind="link"
              onClick={() =>
                saveFile(new Blob([csvText(heads.map(translate), [])], { type: 'text/csv' }), `${name}.csv`)
              }
            >
              <Trans>Download a template</Trans>
            </Button>
          </p>
          <p className={styles.file}>
            <FileButton accept={accepted} onChoose={look}>
              {chosen ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
            </FileButton>{' '}
            {chosen && <span className="soft">{chosen.name}</span>}
          </p>
          {unknown ? <MatchColumns unknown={unknown} heads={heads} onMatch={match} /> : preview.problem}
          {preview.isBusy && (
            <p role="status" className="soft">
              <Trans>Reading the file…</Trans>
            </p>
          )}
          {answer && <ImportPreview answer={answer} remedy={<Trans>Correct the rows and try again.</Trans>} />}
          {answer?.heads && (
            <p>
              <Button kind="link" onClick={() => saveFile(refusedRows(answer), `${name}-errors.csv`)}>
                <Trans>Download the rows with errors</Trans>
              </Button>
            </p>
          )}
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

const accepted = '.csv,text/csv,.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A CSV file as text, or a workbook in base64 after its mark. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Every workbook is a ZIP archive.
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes);
  let binary = '';
  for (let done = 0; done < bytes.length; done += 8192)
    binary += String.fromCharCode(...bytes.subarray(done, done + 8192));
  return workbookMark + btoa(binary);
}

/** The rows that were refused, each with its reasons, to be corrected and imported again. */
function refusedRows({ heads = [], rows }: ImportAnswer): Blob {
  const wrong = rows.flatMap(({ cells, messages }) => {
    if (!cells) return [];
    const reasons = Object.values(messages).map(translate).join(' ');
    return [[...heads.map((_, index) => cells[index] ?? ''), reasons]];
  });
  return new Blob([csvText([...heads, english(reasonsHead)], wrong)], { type: 'text/csv' });
}

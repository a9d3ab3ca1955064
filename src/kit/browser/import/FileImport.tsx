import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { FileButton } from '#kit/browser/ui/FileButton.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportApi } from '#kit/contract/import.ts';
import {
  importBytes,
  importMegabytes,
  mostImported,
  tooLargeMessage,
  workbookMark,
} from '#kit/contract/import-limits.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { showNumber, type Text } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import { ImportPreview } from './ImportPreview.tsx';
import { MatchColumns } from './MatchColumns.tsx';

interface Props<Api extends AnyApi> {
  title: string;
  /** The purpose of the file, where it is not obvious. */
  about?: string;
  /** The columns the file may have. */
  heads: readonly Text[];
  /** The name of the empty file, without its ending. */
  name: string;
  api: Api;
  /** The input sent with the file. */
  hiddenValues: Omit<InputOf<Api['import']>, 'file' | 'columns' | 'confirmToken'>;
  onClose: () => void;
  /** A description of the file, where its columns are not those of the list. */
  children?: ReactNode;
}

type AnyApi = Pick<ImportApi, keyof ImportApi>;

/** Takes a CSV file or a workbook, previews each of its rows, and imports them after confirmation. */
export function FileImport<Api extends AnyApi>(props: Props<Api>) {
  const { title, about, heads, name, api, hiddenValues, onClose, children } = props;
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview<ImportApi['import']>(api.import);
  const [chosen, setChosen] = useState<{ name: string; file: string; columns: Record<string, string> }>();
  const answer = preview.shown?.answer;
  const files = useAttempt();
  const download = useDownload();
  const unknown = preview.data?.heads as string[] | undefined;

  const look = async (given: File | undefined) => {
    if (preview.isBusy) return;
    preview.close();
    setChosen(undefined);
    if (!given) return;
    await preview.show(async () => {
      if (given.size > importBytes) throw new AppError('invalid', tooLargeMessage);
      const file = await textOf(given);
      setChosen({ name: given.name, file, columns: {} });
      return { ...hiddenValues, file };
    });
  };
  const saveTemplate = (as: SheetKind) =>
    files.attempt(() => download(api.importTemplate, { ...hiddenValues, as }, `${name}.${as}`));
  const saveErrors = (as: SheetKind) => {
    if (!chosen) return;
    const { file, columns } = chosen;
    void files.attempt(() =>
      download(api.importErrors, { ...hiddenValues, file, columns, as }, `${name}-errors.${as}`),
    );
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
                An Excel or CSV file with the columns of the list, at most {showNumber(mostImported)} rows and{' '}
                {importMegabytes} MB. You will see a preview first.
              </Trans>
            )}
          </p>
          <p>
            <Trans>Download a template:</Trans>{' '}
            <SheetLinks excel={t`Template for Excel`} csv={t`Template as CSV`} onSave={saveTemplate} />
            <br />
            <span className="soft">
              <Trans>Columns marked * are required.</Trans>
            </span>
          </p>
          <p className={styles.file}>
            <FileButton accept={accepted} onChoose={look}>
              {chosen ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
            </FileButton>{' '}
            {chosen && <span className="soft">{chosen.name}</span>}
          </p>
          {unknown ? (
            <MatchColumns unknown={unknown} heads={heads} onMatch={match} />
          ) : (
            <>
              {preview.problem}
              {files.problem}
            </>
          )}
          {preview.isBusy && (
            <p role="status" className="soft">
              <Trans>Reading the file…</Trans>
            </p>
          )}
          {answer && answer.counts.wrong > 0 && (
            <p>
              <Trans>Download the rows with errors:</Trans>{' '}
              <SheetLinks excel={t`Rows with errors for Excel`} csv={t`Rows with errors as CSV`} onSave={saveErrors} />
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

interface LinksProps {
  /** What each link downloads, for readers who do not see the words before it. */
  excel: string;
  csv: string;
  onSave: (as: SheetKind) => void;
}

/** A file to download for Excel or as CSV. */
function SheetLinks({ excel, csv, onSave }: LinksProps) {
  return (
    <>
      <Button kind="link" aria-label={excel} onClick={() => onSave('xlsx')}>
        <Trans>Excel</Trans>
      </Button>{' '}
      <Button kind="link" aria-label={csv} onClick={() => onSave('csv')}>
        <Trans>CSV</Trans>
      </Button>
    </>
  );
}

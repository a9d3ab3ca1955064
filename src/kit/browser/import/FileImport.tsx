import { plural as countOf } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { FileButton } from '#kit/browser/ui/FileButton.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Field, isNeeded } from '#kit/contract/field.ts';
import type { ImportApi } from '#kit/contract/import.ts';
import {
  importBytes,
  importMegabytes,
  mostImported,
  tooLargeMessage,
  workbookMark,
} from '#kit/contract/import-limits.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { english, showNumber, type Text } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import { ImportPreview } from './ImportPreview.tsx';
import { type FoundColumns, labelsOf, MatchColumns, proposedFor, remainingOf } from './MatchColumns.tsx';

interface Props<Api extends AnyApi> {
  title: string;
  /** The purpose of the file, where it is not obvious. */
  about?: string;
  /** The columns the file may have, by name. */
  fields: Readonly<Record<string, Field>>;
  /** The name of the empty file, without its ending. */
  name: string;
  api: Api;
  /** The words for one and several rows, where the list has them. */
  singular?: Text;
  plural?: Text;
  /** The input sent with the file. */
  hiddenValues: Omit<InputOf<Api['import']>, 'file' | 'columns' | 'confirmToken'>;
  onClose: () => void;
  /** Shows the progress of rows that are imported in the background, instead of the dialog. */
  onRun?: (run: number) => void;
  /** A description of the file, where its columns are not those of the list. */
  children?: ReactNode;
  /** Shown until a file is chosen, such as earlier imports. */
  earlier?: ReactNode;
}

type AnyApi = Pick<ImportApi, keyof ImportApi>;

/** Takes a CSV file or a workbook, previews each of its rows, and imports them after confirmation. */
export function FileImport<Api extends AnyApi>(props: Props<Api>) {
  const { title, about, fields, name, api, singular, plural, hiddenValues, onClose, onRun, children, earlier } = props;
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview<ImportApi['import']>(api.import);
  const [chosen, setChosen] = useState<{ name: string; file: string; columns: Record<string, string> }>();
  const answer = preview.shown?.answer;
  const files = useAttempt();
  const download = useDownload();
  /** The columns of a file some of whose heads the server does not know. */
  const [found, setFound] = useState<FoundColumns>();
  const [matched, setMatched] = useState<Record<string, string>>({});
  const [isMatching, setMatching] = useState(false);
  /** The user wanted to continue without a required column. */
  const [isStopped, setStopped] = useState(false);
  const formId = useId();
  const data = preview.data?.heads ? (preview.data as unknown as FoundColumns) : undefined;
  if (data && data !== found) {
    setFound(data);
    setMatched(proposedFor(fields, data));
    setMatching(true);
    setStopped(false);
  }
  const remaining = found ? remainingOf(fields, found) : [];
  const missing = remaining.filter(
    (field) => isNeeded(field) && !Object.values(matched).includes(english(field.label)),
  );

  const showPreview = async (given: File | undefined) => {
    if (preview.isBusy) return;
    preview.close();
    setChosen(undefined);
    setFound(undefined);
    setMatching(false);
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
  const match = async (isSure: boolean) => {
    if (!chosen) return;
    if (missing.length > 0 && !isSure) return setStopped(true);
    setChosen({ ...chosen, columns: matched });
    if (await preview.show({ ...hiddenValues, file: chosen.file, columns: matched })) setMatching(false);
  };
  const backToColumns = () => {
    preview.close();
    setMatching(true);
    setStopped(false);
  };
  const confirm = async (close: () => void) => {
    const done = await preview.apply();
    if (!done) return;
    if (done.runId !== undefined && onRun) return onRun(done.runId);
    close();
    const count = done.counts.added + done.counts.changed;
    const one = singular ? translate(singular) : t`row`;
    const other = plural ? translate(plural) : t`rows`;
    toast({
      kind: 'success',
      title: t`${countOf(count, { one: `# ${one} imported.`, other: `# ${other} imported.` })}`,
    });
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
            <FileButton accept={accepted} onChoose={showPreview}>
              {chosen ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
            </FileButton>{' '}
            {chosen && <span className="soft">{chosen.name}</span>}
          </p>
          {!chosen && earlier}
          {found && isMatching && (
            <MatchColumns
              unknown={found.heads}
              fields={remaining}
              missing={missing}
              matched={matched}
              onChange={setMatched}
              id={formId}
              onSubmit={() => match(false)}
            />
          )}
          {!data && preview.problem}
          {!isMatching && files.problem}
          {preview.isBusy && (
            <p role="status" className="soft">
              <Trans>Reading the file…</Trans>
            </p>
          )}
          {answer && !isMatching && (
            <>
              <h3 ref={takeLostFocus} tabIndex={-1} className={styles.step}>
                <Trans>Preview</Trans>
              </h3>
              <ImportPreview answer={answer} columns={fields} remedy={<Trans>Correct the rows and try again.</Trans>}>
                {answer.counts.wrong > 0 && (
                  <p>
                    <Trans>Download the rows with errors:</Trans>{' '}
                    <SheetLinks
                      excel={t`Rows with errors for Excel`}
                      csv={t`Rows with errors as CSV`}
                      onSave={saveErrors}
                    />
                  </p>
                )}
              </ImportPreview>
            </>
          )}
          <DialogButtons>
            {isMatching && isStopped && missing.length > 0 && (
              <p role="alert" className={styles.stopped}>
                <span className="error">
                  <Trans>Match these columns first: {labelsOf(missing)}.</Trans>
                </span>{' '}
                <Trans>Rows that only change existing entries don’t need them:</Trans>{' '}
                <Button kind="link" onClick={() => match(true)}>
                  <Trans>Continue without them</Trans>
                </Button>
              </p>
            )}
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            {found && !isMatching && (
              <Button key="back" onClick={backToColumns}>
                <Trans>Back to the columns</Trans>
              </Button>
            )}
            {found && isMatching && (
              <Button key="continue" type="submit" form={formId} kind="main" isBusy={preview.isBusy}>
                <Trans>Continue</Trans>
              </Button>
            )}
            {!isMatching && answer?.confirmToken && todo > 0 && (
              <Button key="import" kind="main" isBusy={preview.isBusy} onClick={() => confirm(close)}>
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
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder(encodingOf(bytes)).decode(bytes);
  let binary = '';
  for (let done = 0; done < bytes.length; done += 8192)
    binary += String.fromCharCode(...bytes.subarray(done, done + 8192));
  return workbookMark + btoa(binary);
}

/** Excel’s "Unicode text" is UTF-16, which begins with a mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
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

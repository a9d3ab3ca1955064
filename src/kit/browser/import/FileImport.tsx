import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { saveFile } from '#kit/browser/data/save-file.ts';
import { said } from '#kit/browser/text.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { AppError } from '#kit/contract/errors.ts';
import { type ImportAnswer, importBytes, mostImported } from '#kit/contract/master.ts';
import { Fates } from './Fates.tsx';

interface Props {
  title: string;
  /** What such a file is for, where that is not plain. */
  about?: string;
  /** The columns the file may have. */
  heads: readonly string[];
  /** What an empty file is called, without its ending. */
  name: string;
  /** Says what becomes of the file, and does it where `expected` stands for the same. */
  send: (file: string, expected: string | undefined) => Promise<ImportAnswer>;
  onClose: () => void;
  onDone: () => Promise<unknown>;
  /** What the file is to hold, where it is not the list as it stands. */
  children?: ReactNode;
}

/** Takes a CSV file, shows what would become of each of its rows, and does it once somebody agrees. */
export function FileImport({ title, about, heads, name, send, onClose, onDone, children }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { attempt, problem } = useAttempt();
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [answer, setAnswer] = useState<ImportAnswer>();
  const [isBusy, setBusy] = useState(false);

  const ask = async (text: string, expected?: string) => {
    setBusy(true);
    try {
      return await send(text, expected);
    } finally {
      setBusy(false);
    }
  };
  const look = (chosen: File | undefined) =>
    attempt(async () => {
      setAnswer(undefined);
      setFile(undefined);
      if (!chosen) return;
      if (chosen.size > importBytes) throw new AppError('invalid', t`This file is larger than 2 MB. Please split it.`);
      const text = new TextDecoder().decode(await chosen.arrayBuffer());
      setFile({ name: chosen.name, text });
      setAnswer(await ask(text));
    });
  const confirm = (close: () => void) =>
    attempt(async () => {
      const done = await ask(file?.text ?? '', answer?.digest);
      if (!done.isDone) {
        setAnswer(done);
        throw new AppError('conflict', t`Something was changed meanwhile. Look at it once more.`);
      }
      close();
      toast({ kind: 'success', title: t`Imported.` });
      await onDone();
    });
  const todo = (answer?.counts.added ?? 0) + (answer?.counts.changed ?? 0);
  return (
    <SideDialog title={title} about={about} onClose={onClose}>
      {(close) => (
        <>
          <p>
            {children ?? (
              <Trans>
                A CSV file with the columns of the list, at most {mostImported} rows. Nothing is changed before you have
                seen what would be.
              </Trans>
            )}
          </p>
          <p>
            <button
              type="button"
              className="link-button"
              onClick={() =>
                saveFile(
                  new Blob([`\uFEFF${heads.map((head) => `"${said(head)}"`).join(',')}\r\n`], { type: 'text/csv' }),
                  `${name}.csv`,
                )
              }
            >
              <Trans>Download an empty file with these columns</Trans>
            </button>
          </p>
          <p className="import-file">
            <label className="button">
              <input
                type="file"
                className="only-read"
                accept=".csv,text/csv"
                onChange={(event) => {
                  void look(event.currentTarget.files?.[0]);
                  // The same file again, once it is mended, is a new choice.
                  event.currentTarget.value = '';
                }}
              />
              {file ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
            </label>{' '}
            {file && <span className="soft">{file.name}</span>}
          </p>
          {problem}
          {isBusy && (
            <p role="status" className="soft">
              <Trans>Reading the file…</Trans>
            </p>
          )}
          {answer && <Fates answer={answer} remedy={<Trans>Mend the file and choose it again.</Trans>} />}
          <div className="dialog-buttons">
            <button type="button" className="button" onClick={close}>
              <Trans>Cancel</Trans>
            </button>
            {answer && answer.counts.wrong === 0 && todo > 0 && (
              <button
                type="button"
                className="button button-main"
                aria-disabled={isBusy}
                onClick={() => !isBusy && confirm(close)}
              >
                <Plural value={todo} one="Import # row" other="Import # rows" />
              </button>
            )}
          </div>
        </>
      )}
    </SideDialog>
  );
}

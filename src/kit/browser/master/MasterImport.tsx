import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { AppError } from '#kit/contract/errors.ts';
import {
  enteredOf,
  type ImportAnswer,
  importBytes,
  isActiveLabel,
  type Master,
  mostImported,
} from '#kit/contract/master.ts';
import { useAttempt } from '../attempt.tsx';
import { call } from '../call.ts';
import { saveFile } from '../save-file.ts';
import { said } from '../text.ts';
import { useToast } from '../toast.tsx';
import { SideDialog } from './SideDialog.tsx';

interface Props {
  master: Master;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

const mostShown = 100;

/** Takes a CSV file, shows what would become of each of its rows, and does it once somebody agrees. */
export function MasterImport({ master, onClose, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { attempt, problem } = useAttempt();
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [answer, setAnswer] = useState<ImportAnswer>();
  const [isBusy, setBusy] = useState(false);

  const ask = async (text: string, expected?: string) => {
    setBusy(true);
    try {
      return await call(master.api.import, { file: text, expected }, { key: crypto.randomUUID() });
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
  const heads = [...enteredOf(master).map(([, { label }]) => label), isActiveLabel].map(said);
  const todo = (answer?.counts.added ?? 0) + (answer?.counts.changed ?? 0);
  return (
    <SideDialog title={t`Import ${said(master.many)}`} onClose={onClose}>
      {(close) => (
        <>
          <p>
            <Trans>
              A CSV file with the columns of the list, at most {mostImported} rows. Nothing is changed before you have
              seen what would be.
            </Trans>
          </p>
          <p>
            <button
              type="button"
              className="link-button"
              onClick={() =>
                saveFile(
                  new Blob([`\uFEFF${heads.map((head) => `"${head}"`).join(',')}\r\n`], { type: 'text/csv' }),
                  `${master.many}.csv`,
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

interface FatesProps {
  answer: Pick<ImportAnswer, 'rows' | 'counts'>;
  /** What to do where a row is refused. */
  remedy: ReactNode;
}

/** What becomes of the rows: counted, and one by one where something happens. */
export function Fates({ answer: { rows, counts }, remedy }: FatesProps) {
  const { t } = useLingui();
  const words = { added: t`added`, changed: t`changed`, same: t`as it is`, wrong: t`refused` };
  const told = [
    ...rows.filter(({ fate }) => fate === 'wrong'),
    ...rows.filter(({ fate }) => fate === 'added' || fate === 'changed'),
  ];
  const more = told.length - mostShown;
  return (
    <>
      <p role="status">
        {counts.wrong > 0 ? (
          <>
            <Plural
              value={counts.wrong}
              one="# row cannot be imported as it is, so none is."
              other="# rows cannot be imported as they are, so none is."
            />{' '}
            {remedy}
          </>
        ) : (
          <Trans>
            {counts.added} will be added, {counts.changed} changed; {counts.same} are there already as they should be.
          </Trans>
        )}
      </p>
      {told.length > 0 && (
        <table className="list fates">
          <thead>
            <tr>
              <th scope="col">{t`Line`}</th>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`What happens`}</th>
            </tr>
          </thead>
          <tbody>
            {told.slice(0, mostShown).map(({ line, called, fate, says }) => (
              <tr key={line}>
                <td data-head={t`Line`}>{line}</td>
                <td>{called}</td>
                <td>
                  <span className={fate === 'wrong' ? 'chip chip-bad' : 'chip chip-good'}>{words[fate]}</span>{' '}
                  {Object.values(says).map(said).join(' ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && (
        <p className="soft">
          <Plural value={more} one="and # more row" other="and # more rows" />
        </p>
      )}
    </>
  );
}

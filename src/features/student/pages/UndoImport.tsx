import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { studentImportApi } from '../contract/import.ts';

/** The own imports of the last days, each with its undoing; nothing without any. */
export function EarlierImports({ onRun }: { onRun: (run: number) => void }) {
  const { data: imports = [] } = useRead(studentImportApi.imports, {});
  if (imports.length === 0) return null;
  return (
    <>
      <h3>
        <Trans>Your imports</Trans>
      </h3>
      <ul>
        {imports.map(({ run, rows, at, mayUndo, undoRun }) => (
          <li key={run}>
            <Trans>
              {showMoment(at)}: <Plural value={rows} one="# row" other="# rows" />
            </Trans>{' '}
            <Button kind="link" onClick={() => onRun(run)}>
              <Trans>
                Result<VisuallyHidden> of {showMoment(at)}</VisuallyHidden>
              </Trans>
            </Button>{' '}
            {mayUndo && <UndoImport run={run} at={at} onRun={onRun} />}
            {undoRun !== null && (
              <Button kind="link" onClick={() => onRun(undoRun)}>
                <Trans>
                  Undone<VisuallyHidden>: result of {showMoment(at)}</VisuallyHidden>
                </Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Props {
  run: number;
  at: string;
  onRun: (run: number) => void;
}

/** Undoes an import after a preview; the run that does it is shown. */
function UndoImport({ run, at, onRun }: Props) {
  const { t } = useLingui();
  const preview = usePreview(studentImportApi.undo);
  const { added = 0, changed = 0, kept = [], confirmToken = null } = preview.shown?.answer ?? {};
  return (
    <>
      <Button kind="link" onClick={() => void preview.show({ run })}>
        <Trans>
          Undo…<VisuallyHidden> the import of {showMoment(at)}</VisuallyHidden>
        </Trans>
      </Button>
      {!preview.shown && preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Undo the import of ${showMoment(at)}`}
        confirm={<Trans>Undo the import</Trans>}
        details={
          kept.length > 0 && (
            <>
              <p>
                <Plural
                  value={kept.length}
                  one="# student has changed since and stays:"
                  other="# students have changed since and stay:"
                />
              </p>
              <ul className="plan everyone">
                <li>{kept.join(', ')}</li>
              </ul>
            </>
          )
        }
        onApplied={({ undoRun }) => undoRun !== undefined && onRun(undoRun)}
      >
        {confirmToken === null ? (
          <Trans>There is nothing to undo.</Trans>
        ) : (
          <>
            {added > 0 && (
              <Plural
                value={added}
                one="# student whom the file added is deleted."
                other="# students whom the file added are deleted."
              />
            )}{' '}
            {changed > 0 && (
              <Plural
                value={changed}
                one="# student gets back the data from before."
                other="# students get back the data from before."
              />
            )}{' '}
            <Trans>GR numbers that the school gave are not used again.</Trans>
          </>
        )}
      </PreviewDialog>
    </>
  );
}

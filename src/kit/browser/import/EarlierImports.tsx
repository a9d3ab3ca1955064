import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { ImportEntry } from '#kit/contract/import.ts';
import { showNumber } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import { type AnyApi, type Fields, inputOf } from './import-flow.ts';

interface Props {
  api: AnyApi;
  fields: Fields;
  hiddenValues: object;
  /** Only this import. */
  only?: number | undefined;
  /** Shows a run that imports or undoes rows in the background. */
  onRun?: ((run: number) => void) | undefined;
}

/** The imports of the last days with file, counts and matches, each with its undoing. */
export function EarlierImports({ api, fields, hiddenValues, only, onRun }: Props) {
  const { data: all = [] } = useRead(api.imports, inputOf(api.imports, hiddenValues));
  const entries = all.filter(({ id }) => only === undefined || id === only);
  if (entries.length === 0) return null;
  return (
    <>
      {only === undefined && (
        <h3 className={styles.part}>
          <Trans>Earlier imports</Trans>
        </h3>
      )}
      <ul className={styles.list}>
        {entries.map((entry) => (
          <Entry key={entry.id} {...{ entry, api, fields, hiddenValues, onRun }} />
        ))}
      </ul>
    </>
  );
}

interface EntryProps extends Omit<Props, 'only'> {
  entry: ImportEntry;
}

function Entry({ entry, api, fields, hiddenValues, onRun }: EntryProps) {
  const { t } = useLingui();
  const { fileName, at, by, counts, columns, mayUndo, isUndone, run, undoRun } = entry;
  const matches = columns
    .map(({ head, field }) => `${head || '–'} → ${fields[field] ? translate(fields[field].label) : field}`)
    .join(', ');
  return (
    <li>
      <strong>{fileName || t`File`}</strong>{' '}
      <span className="soft">{[showMoment(at), by].filter(Boolean).join(' · ')}</span>
      <br />
      <Trans>
        {showNumber(counts.added)} new, {showNumber(counts.changed)} changed, {showNumber(counts.left)} left out.
      </Trans>{' '}
      {run !== null && onRun && (
        <Button kind="link" onClick={() => onRun(run)}>
          <Trans>
            Result<VisuallyHidden> of {showMoment(at)}</VisuallyHidden>
          </Trans>
        </Button>
      )}{' '}
      {mayUndo && <UndoImport {...{ entry, api, hiddenValues, onRun }} />}
      {isUndone && (
        <span className="soft">
          <Trans>Undone.</Trans>
        </span>
      )}
      {undoRun !== null && onRun && (
        <Button kind="link" onClick={() => onRun(undoRun)}>
          <Trans>
            Undone<VisuallyHidden>: result of {showMoment(at)}</VisuallyHidden>
          </Trans>
        </Button>
      )}
      {matches && (
        <details>
          <summary className="soft">
            <Trans>Columns as matched</Trans>
          </summary>
          {matches}
        </details>
      )}
    </li>
  );
}

/** Undoes an import after a preview. */
function UndoImport({ entry: { id, at }, api, hiddenValues, onRun }: Omit<EntryProps, 'fields'>) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(api.importUndo);
  const { added = 0, changed = 0, kept = [], beyond = [], confirmToken = null } = preview.shown?.answer ?? {};
  const isInBackground = onRun !== undefined;
  return (
    <>
      <Button kind="link" onClick={() => void preview.show(inputOf(api.importUndo, { ...hiddenValues, importId: id }))}>
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
          kept.length + beyond.length > 0 && (
            <>
              {beyond.length > 0 && (
                <>
                  <p>
                    <Trans>The import can’t be undone. For these it did more than an undo covers:</Trans>
                  </p>
                  <ul className="plan everyone">
                    <li>{beyond.join(', ')}</li>
                  </ul>
                </>
              )}
              {kept.length > 0 && (
                <>
                  <p>
                    {confirmToken === null ? (
                      <Trans>The import can’t be undone. These have changed since or are used:</Trans>
                    ) : (
                      <Trans>Changed after the import, so they’ll be kept:</Trans>
                    )}
                  </p>
                  <ul className="plan everyone">
                    <li>{kept.join(', ')}</li>
                  </ul>
                </>
              )}
            </>
          )
        }
        onApplied={({ undoRun }) => {
          if (undoRun !== undefined && onRun) onRun(undoRun);
          else toast({ kind: 'success', title: t`The import was undone.` });
        }}
      >
        {confirmToken !== null && (
          <>
            <Plural value={added} one="# added entry is deleted." other="# added entries are deleted." />{' '}
            {changed > 0 && (
              <Plural
                value={changed}
                one="# changed entry gets back the data from before."
                other="# changed entries get back the data from before."
              />
            )}{' '}
            {isInBackground && <Trans>Numbers that a series gave are not used again.</Trans>}
          </>
        )}
        {confirmToken === null && kept.length + beyond.length === 0 && <Trans>There is nothing to undo.</Trans>}
      </PreviewDialog>
    </>
  );
}

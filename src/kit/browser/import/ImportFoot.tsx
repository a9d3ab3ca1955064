import { Plural, Trans } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { showNumber } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import type { Fields } from './import-flow.ts';
import type { ImportSource, ImportSteps } from './use-import-steps.ts';

interface Props {
  fields: Fields;
  source: ImportSource;
  steps: ImportSteps;
  onImport: () => void;
  close: () => void;
}

/** What the step still needs, and the buttons that lead on and back. */
export function ImportFoot({ fields, source, steps, onImport, close }: Props) {
  const { file, stage, step, answer, isBusy } = source;
  const { isStopped, missing, undecided, unreadDates, fromColumns, goOn, back } = steps;
  const todo = (answer?.counts.added ?? 0) + (answer?.counts.changed ?? 0);
  const wrong = answer?.counts.wrong ?? 0;
  const labelsOf = (names: string[]) =>
    names.map((one) => (fields[one] ? translate(fields[one].label) : one)).join(', ');
  return (
    <DialogButtons>
      {step === 'columns' && isStopped && missing.length > 0 && (
        <p role="alert" className={styles.stopped}>
          <span className="error">
            <Trans>Match these columns first: {labelsOf(missing)}.</Trans>
          </span>{' '}
          <Trans>Rows that only change existing entries don’t need them:</Trans>{' '}
          <Button kind="link" onClick={() => void fromColumns(true)}>
            <Trans>Continue without them</Trans>
          </Button>
        </p>
      )}
      {step === 'values' && isStopped && unreadDates.length > 0 && (
        <p role="alert" className={`error ${styles.stopped}`}>
          <Trans>Choose how to read the dates first: {labelsOf(unreadDates)}.</Trans>
        </p>
      )}
      {step === 'values' && undecided > 0 && (
        <p className={styles.stopped}>
          <Plural
            value={undecided}
            one="Choose # value, or its rows are not imported."
            other="Choose # values, or their rows are not imported."
          />
        </p>
      )}
      <Button onClick={close}>{step === 'done' ? <Trans>Close</Trans> : <Trans>Cancel</Trans>}</Button>
      {file && (step === 'columns' || step === 'values' || step === 'preview') && (
        <Button onClick={back}>
          <Trans>Back</Trans>
        </Button>
      )}
      {file && stage && step !== 'preview' && step !== 'done' && (
        <Button key="continue" kind="main" isBusy={isBusy} onClick={() => void goOn()}>
          <Trans>Continue</Trans>
        </Button>
      )}
      {step === 'preview' && answer?.confirmToken && todo > 0 && (
        <Button key="import" kind="main" isBusy={isBusy} onClick={onImport}>
          {wrong > 0 ? (
            <Trans>
              Import the {showNumber(todo)} good rows and download the other {showNumber(wrong)}
            </Trans>
          ) : (
            <Plural value={todo} one="Import # row" other="Import # rows" />
          )}
        </Button>
      )}
    </DialogButtons>
  );
}

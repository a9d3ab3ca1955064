import { plural as countOf } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { FileButton } from '#kit/browser/ui/FileButton.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Steps } from '#kit/browser/ui/Steps.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportAnswer, ImportStage, RowQuestion } from '#kit/contract/import.ts';
import {
  editKey,
  importBytes,
  importMegabytes,
  mostAnswers,
  mostEdits,
  mostImported,
  tooLargeMessage,
} from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { showNumber, type Text as Words } from '#kit/contract/text.ts';
import { ColumnsStep } from './ColumnsStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import { EarlierImports } from './EarlierImports.tsx';
import styles from './FileImport.module.css';
import {
  type AnyApi,
  type Fields,
  inputOf,
  missingOf,
  planOf,
  undecidedOf,
  unreadDatesOf,
  withProposals,
} from './import-flow.ts';
import { allRows, PreviewStep, type Shown } from './PreviewStep.tsx';
import { Progress } from './Progress.tsx';
import { readFile, type SentFile } from './read-file.ts';
import { SheetLinks } from './SheetLinks.tsx';
import { SheetStep } from './SheetStep.tsx';
import { ValuesStep } from './ValuesStep.tsx';

interface Props<Api extends AnyApi> {
  title: string;
  /** The purpose of the file, where it is not obvious. */
  about?: string;
  /** The columns the file may have, by name. */
  fields: Fields;
  /** The name of the empty file, without its ending. */
  name: string;
  api: Api;
  /** The words for one and several rows, where the list has them. */
  singular?: Words;
  plural?: Words;
  /** The input sent with the file. */
  hiddenValues: Omit<InputOf<Api['import']>, 'file' | 'plan' | 'shown' | 'confirmToken'>;
  onClose: () => void;
  /** Shows the progress of rows that are imported in the background, instead of the page. */
  onRun?: (run: number) => void;
  /** A description of the file, where its columns are not those of the list. */
  children?: ReactNode;
  /** The earlier imports, where the list has an undo of its own. */
  earlier?: ReactNode;
}

type Step = 'sheet' | 'columns' | 'values' | 'preview' | 'done';

/**
 * Imports a CSV file or a workbook in steps: its sheet and headings, its columns, words that fit nothing, a preview with
 * the values as they will be stored, and the result.
 */
export function FileImport<Api extends AnyApi>(props: Props<Api>) {
  const { title, about, fields, name, api, singular, plural, hiddenValues, onClose, onRun, children, earlier } = props;
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview<AnyApi['import']>(api.import);
  const reading = useAttempt();
  const files = useAttempt();
  const download = useDownload();
  const [file, setFile] = useState<SentFile>();
  const [step, setStep] = useState<Step>('sheet');
  const [stage, setStage] = useState<ImportStage>();
  const [plan, setPlan] = useState<ImportPlan>();
  const [done, setDone] = useState<ImportAnswer>();
  /** The user wanted to continue without a required column, or without the order of dates. */
  const [isStopped, setStopped] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const answer = preview.shown?.answer;
  const shown = (preview.shown?.input.shown as Shown | undefined) ?? allRows;
  const whole = api.import.table?.whole?.parts ?? [];
  const pair = api.import.table?.pair;
  const isBusy = reading.isBusy || preview.isBusy;

  const openStage = async (sent: SentFile, asked?: Partial<ImportPlan>) => {
    const input = { ...hiddenValues, file: sent.text, ...(asked && { plan: { columns: {}, ...asked } }) };
    return (await call(api.importOpen, inputOf(api.importOpen, input))) as ImportStage;
  };
  const choose = (given: File | undefined) => {
    if (!given || isBusy) return;
    preview.close();
    files.forget();
    void reading.attempt(async () => {
      setFile(undefined);
      setStage(undefined);
      setDone(undefined);
      if (given.size > importBytes) throw new AppError('invalid', tooLargeMessage);
      const sent = await readFile(given);
      const found = await openStage(sent);
      setFile(sent);
      setStage(found);
      setPlan(planOf(sent.name, found));
      setStep('sheet');
    });
  };
  const openAgain = (asked: Partial<ImportPlan>) => {
    if (!file) return;
    void reading.attempt(async () => {
      const found = await openStage(file, asked);
      setStage(found);
      setPlan({ ...planOf(file.name, found), kept: asked.kept ?? [] });
    });
  };
  const showPreview = async (asked: ImportPlan, rows: Shown = allRows) => {
    if (!file) return;
    setPlan(asked);
    const input = { ...hiddenValues, file: file.text, plan: asked, shown: rows };
    const found = (await preview.show(inputOf(api.import, input))) as ImportAnswer | undefined;
    if (!found) return;
    setStep('preview');
    // The last error of those that were shown is corrected.
    if (found.rows.length === 0 && rows !== allRows) await showPreview(asked);
  };
  const missing = plan ? missingOf(fields, plan, { whole, pair, stage }) : [];
  const fromColumns = async (isSure: boolean) => {
    if (!file || !plan) return;
    if (missing.length > 0 && !isSure) {
      page.current?.querySelector<HTMLElement>('[data-missing]')?.focus();
      return setStopped(true);
    }
    setStopped(false);
    const found = await reading.attempt(() => openStage(file, plan));
    if (!found) return;
    const next = withProposals(plan, found);
    setStage(found);
    setPlan(next);
    if (found.words.length + found.dates.length > 0) return setStep('values');
    await showPreview(next);
  };
  const undecided = stage && plan ? undecidedOf(stage, plan) : 0;
  const unreadDates = stage && plan ? unreadDatesOf(stage, plan) : [];
  const goOn = async () => {
    if (isBusy || !plan) return;
    if (step === 'sheet' && stage) setStep('columns');
    else if (step === 'columns') await fromColumns(false);
    else if (step === 'values' && unreadDates.length > 0) setStopped(true);
    else if (step === 'values') await showPreview(plan);
  };
  const back = () => {
    preview.close();
    setStopped(false);
    const hasValues = stage !== undefined && stage.words.length + stage.dates.length > 0;
    if (step === 'preview') setStep(hasValues ? 'values' : 'columns');
    else if (step === 'values') setStep('columns');
    else setStep('sheet');
  };
  const edit = (line: number, field: string, value: string) => {
    if (!plan || Object.keys(plan.edits).length >= mostEdits) return;
    void showPreview({ ...plan, edits: { ...plan.edits, [editKey(line, field)]: value } }, shown);
  };
  const answerRow = ({ kind, choices }: Pick<RowQuestion, 'kind' | 'choices'>, key: string, line?: number) => {
    if (!plan) return;
    const { answers, alike } = plan;
    if (line !== undefined) {
      if (Object.keys(answers).length >= mostAnswers && !Object.hasOwn(answers, line)) return;
      return void showPreview({ ...plan, answers: { ...answers, [line]: key } }, shown);
    }
    // Answers of single rows are replaced too.
    const others = Object.entries(answers).filter(([, given]) => !choices.some((choice) => choice.key === given));
    void showPreview({ ...plan, answers: Object.fromEntries(others), alike: { ...alike, [kind]: key } }, shown);
  };
  const saveTemplate = (as: SheetKind) =>
    files.attempt(() =>
      download(api.importTemplate, inputOf(api.importTemplate, { ...hiddenValues, as }), `${name}.${as}`),
    );
  const saveErrors = (as: SheetKind) => {
    if (!file || !plan) return undefined;
    const input = { ...hiddenValues, file: file.text, plan, as };
    return files.attempt(() => download(api.importErrors, inputOf(api.importErrors, input), `${name}-errors.${as}`));
  };
  const confirm = async (close: () => void) => {
    if (!answer) return;
    if (answer.counts.wrong > 0) await saveErrors('xlsx');
    const applied = (await preview.apply()) as ImportAnswer | undefined;
    if (!applied) return;
    if (applied.runId !== undefined && onRun) return onRun(applied.runId);
    const count = applied.counts.added + applied.counts.changed;
    const one = singular ? translate(singular) : t`row`;
    const other = plural ? translate(plural) : t`rows`;
    toast({
      kind: 'success',
      title: t`${countOf(count, { one: `# ${one} imported.`, other: `# ${other} imported.` })}`,
    });
    if (applied.importId === undefined) return close();
    setDone(applied);
    setStep('done');
  };
  const todo = (answer?.counts.added ?? 0) + (answer?.counts.changed ?? 0);
  const wrong = answer?.counts.wrong ?? 0;
  const steps: [Step, string][] = [
    ['sheet', t`Sheet`],
    ['columns', t`Columns`],
    ['values', t`Values`],
    ['preview', t`Preview`],
    ['done', t`Done`],
  ];
  const place = steps.findIndex(([one]) => one === step);
  const labelsOf = (names: string[]) =>
    names.map((one) => (fields[one] ? translate(fields[one].label) : one)).join(', ');
  const journal = { api, fields, hiddenValues, onRun };
  return (
    <SideDialog title={title} about={about} isWhole onClose={onClose}>
      {(close) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the main button below.
        <div
          ref={page}
          className={styles.whole}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.ctrlKey) return;
            event.preventDefault();
            void goOn();
          }}
        >
          {file && step !== 'done' && <Unsaved />}
          {!file && (
            <>
              <p>
                {children ?? (
                  <Trans>
                    An Excel or CSV file as you have it, at most {showNumber(mostImported)} rows and {importMegabytes}{' '}
                    MB. You match its columns and see a preview first.
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
            </>
          )}
          {file && <Steps label={t`Steps of the import`} steps={steps.map(([, words]) => words)} current={place} />}
          {step !== 'done' && (
            <Row as="p" gap="8 12" align="center" wrap mt={12} mb={12}>
              <FileButton accept={accepted} onChoose={choose}>
                {file ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
              </FileButton>
              {file && <span className="soft">{file.name}</span>}
            </Row>
          )}
          {!file && !reading.isBusy && (earlier ?? <EarlierImports {...journal} />)}
          {reading.problem}
          {preview.problem}
          {files.problem}
          {isBusy && <Progress>{busyWords()}</Progress>}
          {file && stage && plan && (
            <>
              <Text as="h3" mt={12} mb={4} size={16} key={step} ref={showStep} tabIndex={-1} className={styles.step}>
                {steps[place]?.[1]}
              </Text>
              {step === 'sheet' && (
                <SheetStep
                  stage={stage}
                  guessed={file.guessed}
                  kept={plan.kept}
                  onSheet={(sheet) => openAgain({ sheet })}
                  onHead={(headLine) => openAgain({ sheet: plan.sheet, headLine })}
                  onKept={(kept) => openAgain({ sheet: plan.sheet, headLine: plan.headLine, kept })}
                />
              )}
              {step === 'columns' && (
                <ColumnsStep
                  {...{ stage, fields, plan, whole, pair }}
                  onChange={(next) => {
                    setPlan(next);
                    setStopped(false);
                  }}
                />
              )}
              {step === 'values' && <ValuesStep {...{ stage, fields, plan }} onChange={setPlan} />}
              {step === 'preview' && answer && (
                <PreviewStep
                  {...{ answer, stage, fields, shown, isBusy }}
                  onShow={(rows) => void showPreview(plan, rows)}
                  onEdit={edit}
                  onAnswer={answerRow}
                />
              )}
              {step === 'done' && done && (
                <DoneStep answer={done} {...journal} onErrors={saveErrors}>
                  {earlier ?? <EarlierImports {...journal} only={done.importId} />}
                </DoneStep>
              )}
            </>
          )}
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
                  one="# value is undecided. Its rows become errors."
                  other="# values are undecided. Their rows become errors."
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
              <Button key="import" kind="main" isBusy={isBusy} onClick={() => void confirm(close)}>
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
        </div>
      )}
    </SideDialog>
  );

  function busyWords() {
    const rows = stage?.rows ?? 0;
    return rows > 0 ? t`${countOf(rows, { one: 'Reading # row…', other: 'Reading # rows…' })}` : t`Reading the file…`;
  }
}

/** A step begins at its top, wherever the one before was scrolled to. */
function showStep(step: HTMLElement | null) {
  takeLostFocus(step);
  step?.scrollIntoView?.({ block: 'center' });
}

const accepted = '.csv,text/csv,.txt,.tsv,.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

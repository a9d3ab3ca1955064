import { type RefObject, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { call } from '#kit/browser/data/call.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportAnswer, ImportStage, RowQuestion } from '#kit/contract/import.ts';
import { editKey, importBytes, mostAnswers, mostEdits, tooLargeMessage } from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
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
import { allRows, type Shown } from './PreviewStep.tsx';
import { readFile, type SentFile } from './read-file.ts';

export type Step = 'sheet' | 'columns' | 'values' | 'preview' | 'done';

export type ImportSource = ReturnType<typeof useImportSource>;
export type ImportSteps = ReturnType<typeof useImportSteps>;

/** The chosen file, its headings as the server read them, the plan for its rows, and their preview. */
export function useImportSource(api: AnyApi, hiddenValues: object) {
  const preview = usePreview<AnyApi['import']>(api.import);
  const reading = useAttempt();
  const [file, setFile] = useState<SentFile>();
  const [step, setStep] = useState<Step>('sheet');
  const [stage, setStage] = useState<ImportStage>();
  const [plan, setPlan] = useState<ImportPlan>();
  const [done, setDone] = useState<ImportAnswer>();
  const answer = preview.shown?.answer;
  const shown = (preview.shown?.input.shown as Shown | undefined) ?? allRows;
  const isBusy = reading.isBusy || preview.isBusy;

  const openStage = async (sent: SentFile, asked?: Partial<ImportPlan>) => {
    const input = { ...hiddenValues, file: sent.text, ...(asked && { plan: { columns: {}, ...asked } }) };
    return (await call(api.importOpen, inputOf(api.importOpen, input))) as ImportStage;
  };
  const choose = (given: File | undefined, onChosen: () => void) => {
    if (!given || isBusy) return;
    preview.close();
    onChosen();
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
  return {
    ...{ preview, reading, isBusy, file, step, setStep, stage, setStage, plan, setPlan, done, setDone, answer, shown },
    ...{ openStage, choose, openAgain, showPreview },
  };
}

/** Leads from step to step, and says what the present one still needs. */
export function useImportSteps(api: AnyApi, fields: Fields, source: ImportSource, page: RefObject<HTMLElement | null>) {
  const { preview, reading, isBusy, file, step, setStep, stage, setStage, plan, setPlan, openStage, showPreview } =
    source;
  /** The user wanted to continue without a required column, or without the order of dates. */
  const [isStopped, setStopped] = useState(false);
  const whole = api.import.table?.whole?.parts ?? [];
  const pair = api.import.table?.pair;
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
  const planColumns = (next: ImportPlan) => {
    setPlan(next);
    setStopped(false);
  };
  return { whole, pair, isStopped, missing, undecided, unreadDates, fromColumns, planColumns, goOn, back };
}

/** What the user decides about single rows of the preview, which is then shown again. */
export function rowDecisions({ plan, shown, showPreview }: ImportSource) {
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
  return { edit, answerRow };
}

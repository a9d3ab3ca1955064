import { plural as countOf } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { FileButton } from '#kit/browser/ui/FileButton.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Steps } from '#kit/browser/ui/Steps.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { InputOf } from '#kit/contract/endpoint.ts';
import type { ImportStage } from '#kit/contract/import.ts';
import { importMegabytes, mostImported } from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { showNumber, type Text as Words } from '#kit/contract/text.ts';
import { ColumnsStep } from './ColumnsStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import { EarlierImports } from './EarlierImports.tsx';
import styles from './FileImport.module.css';
import { ImportFoot } from './ImportFoot.tsx';
import type { AnyApi, Fields } from './import-flow.ts';
import { PreviewStep } from './PreviewStep.tsx';
import { Progress } from './Progress.tsx';
import type { SentFile } from './read-file.ts';
import { SheetLinks } from './SheetLinks.tsx';
import { SheetStep } from './SheetStep.tsx';
import { useApplyImport, useImportFiles } from './use-import-result.tsx';
import {
  type ImportSource,
  type ImportSteps,
  rowDecisions,
  type Step,
  useImportSource,
  useImportSteps,
} from './use-import-steps.ts';
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

/**
 * Imports a CSV file or a workbook in steps: its sheet and headings, its columns, words that fit nothing, a preview with
 * the values as they will be stored, and the result.
 */
export function FileImport<Api extends AnyApi>(props: Props<Api>) {
  const { title, about, fields, name, api, singular, plural, hiddenValues, onClose, onRun, children, earlier } = props;
  const { t } = useLingui();
  const page = useRef<HTMLDivElement>(null);
  const source = useImportSource(api, hiddenValues);
  const steps = useImportSteps(api, fields, source, page);
  const files = useImportFiles(api, hiddenValues, name, source);
  const apply = useApplyImport(source, { singular, plural, onRun, saveErrors: files.saveErrors });
  const { file, step, stage, plan, reading, preview, isBusy } = source;
  const titles: [Step, string][] = [
    ['sheet', t`Sheet`],
    ['columns', t`Columns`],
    ['values', t`Values`],
    ['preview', t`Preview`],
    ['done', t`Done`],
  ];
  const place = titles.findIndex(([one]) => one === step);
  const busyWords = useBusyWords(stage?.rows);
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
            void steps.goOn();
          }}
        >
          {file && step !== 'done' && <Unsaved />}
          {!file && <ImportStart onTemplate={files.saveTemplate}>{children}</ImportStart>}
          {file && <Steps label={t`Steps of the import`} steps={titles.map(([, words]) => words)} current={place} />}
          {step !== 'done' && (
            <Row as="p" gap="8 12" align="center" wrap mt={12} mb={12}>
              <FileButton accept={accepted} onChoose={(given) => source.choose(given, files.forget)}>
                {file ? <Trans>Choose another file</Trans> : <Trans>Choose a file</Trans>}
              </FileButton>
              {file && <span className="soft">{file.name}</span>}
            </Row>
          )}
          {!file && !reading.isBusy && (earlier ?? <EarlierImports {...journal} />)}
          {reading.problem}
          {preview.problem}
          {files.problem}
          {isBusy && <Progress>{busyWords}</Progress>}
          {file && stage && plan && (
            <>
              <Text as="h3" mt={12} mb={4} size={16} key={step} ref={showStep} tabIndex={-1} className={styles.step}>
                {titles[place]?.[1]}
              </Text>
              <ImportStep
                {...{ stage, plan, source, steps, journal, earlier }}
                guessed={file.guessed}
                onErrors={files.saveErrors}
              />
            </>
          )}
          <ImportFoot {...{ fields, source, steps, close }} onImport={() => void apply(close)} />
        </div>
      )}
    </SideDialog>
  );
}

interface StartProps {
  onTemplate: (as: SheetKind) => unknown;
  children: ReactNode;
}

/** What a file may be, before one is chosen. */
function ImportStart({ onTemplate, children }: StartProps) {
  const { t } = useLingui();
  return (
    <>
      <p>
        {children ?? (
          <Trans>
            An Excel or CSV file as you have it, at most {showNumber(mostImported)} rows and {importMegabytes} MB. You
            match its columns and see a preview first.
          </Trans>
        )}
      </p>
      <p>
        <Trans>Download a template:</Trans>{' '}
        <SheetLinks excel={t`Template for Excel`} csv={t`Template as CSV`} onSave={onTemplate} />
        <br />
        <span className="soft">
          <Trans>Columns marked * are required.</Trans>
        </span>
      </p>
    </>
  );
}

function useBusyWords(rows = 0) {
  const { t } = useLingui();
  return rows > 0 ? t`${countOf(rows, { one: 'Reading # row…', other: 'Reading # rows…' })}` : t`Reading the file…`;
}

interface StepProps {
  stage: ImportStage;
  plan: ImportPlan;
  guessed: SentFile['guessed'];
  source: ImportSource;
  steps: ImportSteps;
  journal: { api: AnyApi; fields: Fields; hiddenValues: object; onRun?: ((run: number) => void) | undefined };
  earlier: ReactNode;
  onErrors: (as: SheetKind) => unknown;
}

/** The present step, below its heading. */
function ImportStep({ stage, plan, guessed, source, steps, journal, earlier, onErrors }: StepProps) {
  const { step, answer, shown, isBusy, done, setPlan, openAgain, showPreview } = source;
  const { whole, pair, planColumns } = steps;
  const { fields } = journal;
  const { edit, answerRow } = rowDecisions(source);
  return (
    <>
      {step === 'sheet' && (
        <SheetStep
          stage={stage}
          guessed={guessed}
          kept={plan.kept}
          onSheet={(sheet) => openAgain({ sheet })}
          onHead={(headLine) => openAgain({ sheet: plan.sheet, headLine })}
          onKept={(kept) => openAgain({ sheet: plan.sheet, headLine: plan.headLine, kept })}
        />
      )}
      {step === 'columns' && <ColumnsStep {...{ stage, fields, plan, whole, pair }} onChange={planColumns} />}
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
        <DoneStep answer={done} {...journal} onErrors={onErrors}>
          {earlier ?? <EarlierImports {...journal} only={done.importId} />}
        </DoneStep>
      )}
    </>
  );
}

/** A step begins at its top, wherever the one before was scrolled to. */
function showStep(step: HTMLElement | null) {
  takeLostFocus(step);
  step?.scrollIntoView?.({ block: 'center' });
}

const accepted = '.csv,text/csv,.txt,.tsv,.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

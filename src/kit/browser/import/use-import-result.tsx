import { plural as countOf } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { ImportAnswer } from '#kit/contract/import.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import type { Text as Words } from '#kit/contract/text.ts';
import { type AnyApi, inputOf } from './import-flow.ts';
import type { ImportSource } from './use-import-steps.ts';

/** The files that an import offers: an empty one, and the rows with errors. */
export function useImportFiles(api: AnyApi, hiddenValues: object, name: string, { file, plan }: ImportSource) {
  const files = useAttempt();
  const download = useDownload();
  const saveTemplate = (as: SheetKind) =>
    files.attempt(() =>
      download(api.importTemplate, inputOf(api.importTemplate, { ...hiddenValues, as }), `${name}.${as}`),
    );
  const saveErrors = (as: SheetKind) => {
    if (!file || !plan) return undefined;
    const input = { ...hiddenValues, file: file.text, plan, as };
    return files.attempt(() => download(api.importErrors, inputOf(api.importErrors, input), `${name}-errors.${as}`));
  };
  return { saveTemplate, saveErrors, problem: files.problem, forget: files.forget };
}

interface Applying {
  /** The words for one and several rows, where the list has them. */
  singular?: Words | undefined;
  plural?: Words | undefined;
  onRun?: ((run: number) => void) | undefined;
  saveErrors: (as: SheetKind) => Promise<unknown> | undefined;
}

/** Imports the previewed rows; those with errors are downloaded before. */
export function useApplyImport(source: ImportSource, { singular, plural, onRun, saveErrors }: Applying) {
  const { t } = useLingui();
  const toast = useToast();
  const { answer, preview, setDone, setStep } = source;
  return async (close: () => void) => {
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
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { importMegabytes, mostImported } from '#kit/contract/import-limits.ts';
import { showNumber } from '#kit/contract/text.ts';
import { studentFile, studentImportApi } from '../contract/import.ts';
import { studentList } from '../contract/list.ts';

/** Brings students with their adults from a spreadsheet, and shows how far the import is. */
export function ImportStudents({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [run, setRun] = useState<number>();
  const title = t`Import students`;
  if (run !== undefined) {
    return (
      <RunDialog
        id={run}
        title={title}
        onClose={onClose}
        isWhole
        next={
          <Trans>
            The students are on the Student List as soon as their rows are done. You can undo the import under “Earlier
            imports”.
          </Trans>
        }
        further={({ failed }) => failed > 0 && <RefusedRows run={run} />}
      />
    );
  }
  return (
    <FileImport
      title={title}
      fields={studentFile}
      singular={studentList.singular}
      plural={studentList.plural}
      name="students"
      api={studentImportApi}
      hiddenValues={{}}
      onClose={onClose}
      onRun={setRun}
    >
      <Trans>
        An Excel or CSV file of at most {showNumber(mostImported)} rows and {importMegabytes} MB: a row for each child,
        with up to three adults. A child with the row’s GR number is changed. You will see a preview first.
      </Trans>
    </FileImport>
  );
}

function RefusedRows({ run }: { run: number }) {
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() =>
          attempt(() => download(studentImportApi.refused, { run: String(run), as: 'xlsx' }, 'students-errors.xlsx'))
        }
      >
        <Trans>Rows with errors for Excel</Trans>
      </Button>
      {problem}
    </>
  );
}

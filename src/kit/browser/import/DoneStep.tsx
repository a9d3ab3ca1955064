import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import type { ImportAnswer } from '#kit/contract/import.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { type AnyApi, type Fields, inputOf } from './import-flow.ts';
import { allRows, PreviewStep } from './PreviewStep.tsx';
import { SheetLinks } from './SheetLinks.tsx';

interface Props {
  answer: ImportAnswer;
  api: AnyApi;
  fields: Fields;
  hiddenValues: object;
  onErrors: (as: SheetKind) => unknown;
  /** The import with its undoing. */
  children: ReactNode;
}

/** The rows that came in, as long as the import is not undone, and those that did not. */
export function DoneStep({ answer, api, fields, hiddenValues, onErrors, children }: Props) {
  const { t } = useLingui();
  const { data: imports = [] } = useRead(api.imports, inputOf(api.imports, hiddenValues));
  const isUndone = imports.some(({ id, isUndone }) => id === answer.importId && isUndone);
  const { counts, rows } = answer;
  const written = rows.filter(({ status }) => status === 'added' || status === 'changed');
  const further = counts.added + counts.changed - written.length;
  return (
    <>
      {children}
      {counts.wrong > 0 && (
        <p>
          <Plural value={counts.wrong} one="# row was not imported." other="# rows were not imported." />{' '}
          <Trans>Download the rows with errors:</Trans>{' '}
          <SheetLinks excel={t`Rows with errors for Excel`} csv={t`Rows with errors as CSV`} onSave={onErrors} />
        </p>
      )}
      {!isUndone && (
        <PreviewStep
          answer={{ ...answer, rows: written, causes: [], found: written.length }}
          stage={undefined}
          fields={fields}
          shown={allRows}
          isBusy={false}
        />
      )}
      {!isUndone && further > 0 && (
        <p className="soft">
          <Plural value={further} one="# more row was imported." other="# more rows were imported." />
        </p>
      )}
    </>
  );
}

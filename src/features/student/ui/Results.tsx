import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { resultApi, resultFields, resultFile, resultImportApi, resultList } from '../contract/result.ts';

const CorrectResult = lazy(async () => ({ default: (await import('./CorrectResult.tsx')).CorrectResult }));

type Row = RowOf<typeof resultList>;
type Kind = 'good' | 'bad' | 'warn' | 'plain';

const kinds: Readonly<Record<string, Kind>> = { Promote: 'good', Detain: 'bad', 'Re-test': 'warn', Leave: 'plain' };

/** The children of a year with what was decided of each: a row opens the decision. */
export function Results({ yearId }: { yearId: number | undefined }) {
  const { t } = useLingui();
  const [decided, setDecided] = useState<Row>();
  const [corrected, setCorrected] = useState<Row>();
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <RecordList
        list={resultList}
        usual={yearId === undefined ? {} : { yearId: String(yearId) }}
        open={(row) =>
          row.mayDecide
            ? () => setDecided(row)
            : { to: '/school-erp/student/student-list/$studentID', params: { studentID: String(row.studentId) } }
        }
        isSoft={({ standing }) => standing !== 'Open'}
        cells={{
          decision: ({ decision }) =>
            decision ? (
              <Status kind={kinds[decision] ?? 'plain'}>{translateOption(decision)}</Status>
            ) : (
              <span className="soft">–</span>
            ),
          // Without a grade of the new year the child leaves.
          leadsTo: ({ leadsTo }) => leadsTo || <Trans>Leaves</Trans>,
          standing: ({ standing }) => translateOption(standing ?? ''),
        }}
        actions={(row, from) => (
          <>
            {row.mayDecide && (
              <Menu.Item onClick={from(() => setDecided(row))}>
                <Trans>Decide…</Trans>
              </Menu.Item>
            )}
            {row.mayCorrect && (
              <Menu.Item onClick={from(() => setCorrected(row))}>
                <Trans>Correct a result…</Trans>
              </Menu.Item>
            )}
            <Menu.Item
              renderRoot={(props) => (
                <PageLink
                  to="/school-erp/student/student-list/$studentID"
                  params={{ studentID: String(row.studentId) }}
                  {...props}
                />
              )}
            >
              <Trans>Open the record</Trans>
            </Menu.Item>
          </>
        )}
        more={
          yearId !== undefined && (
            <Menu.Item onClick={() => setImporting(true)}>
              <Trans>Import results…</Trans>
            </Menu.Item>
          )
        }
        bulk={(selection, clear) => <DecideMany selection={selection} clear={clear} />}
        empty={{ message: <Trans>No students in this year.</Trans> }}
      />
      {corrected && (
        <Suspense fallback={null}>
          <CorrectResult
            head={{ id: corrected.studentId, name: corrected.name ?? '' }}
            onClose={() => setCorrected(undefined)}
          />
        </Suspense>
      )}
      {decided && <Decide row={decided} onClose={() => setDecided(undefined)} />}
      {isImporting && yearId !== undefined && (
        <FileImport
          title={t`Import results`}
          fields={resultFile}
          singular={resultList.singular}
          plural={resultList.plural}
          name="results"
          api={resultImportApi}
          hiddenValues={{ yearId }}
          onClose={() => setImporting(false)}
        >
          <Trans>
            An Excel or CSV file with a row for each child: GR number, decision, and a reason unless the child is
            promoted. You will see a preview first.
          </Trans>
        </FileImport>
      )}
    </>
  );
}

/** The decision on one child. */
function Decide({ row, onClose }: { row: Row; onClose: () => void }) {
  const { t } = useLingui();
  const { id, version, decision, reason, conduct, progress } = row;
  const name = row.name ?? '';
  const section = row.section ?? '';
  const saved = { decision: decision || 'Promote', reason, conduct, progress };
  return (
    <RecordForm
      title={t`Result of ${name}`}
      about={t`${section}. Without a decision the child is promoted, or leaves after the last class.`}
      endpoint={resultApi.decide}
      initial={saved}
      hiddenValues={{ id, version }}
      of={name}
      onClose={onClose}
    >
      <FieldControls fields={resultFields} />
    </RecordForm>
  );
}

/** One decision on the selected children, after a preview. */
function DecideMany({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(resultApi.decideMany);
  const title = t`Decide on the selected students`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Decide…</Trans>
      </Button>
      {isOpen && (
        <SideDialog
          title={title}
          about={t`Conduct and progress that are left empty don’t change.`}
          onClose={() => setOpen(false)}
        >
          {(close) => (
            <>
              <ApiForm
                endpoint={resultApi.decideMany}
                label={title}
                initial={{ ...emptyValuesOf(resultFields), decision: 'Promote' }}
                hiddenValues={{ selection }}
                onDone={(answer, input) => preview.take(input, answer)}
                buttons={(isSending) => (
                  <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
                )}
              >
                <FieldControls fields={resultFields} />
              </ApiForm>
              {preview.shown && <Unsaved />}
              <BulkAct
                preview={preview}
                title={title}
                effect={(count) => <Plural value={count} one="# result is changed." other="# results are changed." />}
                confirm={<Trans>Decide</Trans>}
                done={t`Results changed`}
                onApplied={() => {
                  close();
                  clear();
                }}
              />
            </>
          )}
        </SideDialog>
      )}
    </>
  );
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { showMoney } from '#kit/contract/money.ts';
import { allocationFields, type PreviewedPlan, planApi } from '../contract/plan.ts';
import styles from './amounts.module.css';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Makes fee plans for the selected students, after a preview of what each pays, and shows how far it is. */
export function AllocatePlans({ selection, clear }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [run, setRun] = useState<number>();
  const preview = usePreview(planApi.allocate);
  const title = t`Make fee plans`;
  const { total = 0, rows = [] } = preview.shown?.answer ?? {};
  const amount = showMoney(total);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Make fee plans…</Trans>
      </Button>
      {isOpen && (
        <SideDialog
          title={title}
          about={t`Each student gets the published prices of the grade, from the day of joining on.`}
          onClose={() => setOpen(false)}
        >
          {(close) => (
            <ApiForm
              endpoint={planApi.allocate}
              label={title}
              initial={emptyValuesOf(allocationFields)}
              hiddenValues={{ selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <FieldControls fields={allocationFields} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => (
          <Plural
            value={count}
            one={`# student pays ${amount} in the year.`}
            other={`# students pay ${amount} in the year.`}
          />
        )}
        details={rows.length > 0 && <Previewed rows={rows} />}
        confirm={<Trans>Make plans</Trans>}
        onApplied={(answer) => {
          setOpen(false);
          setRun((answer as unknown as { runId: number | null }).runId ?? undefined);
        }}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={title}
          onClose={() => {
            setRun(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}

function Previewed({ rows }: { rows: readonly PreviewedPlan[] }) {
  const { t } = useLingui();
  return (
    <CardTable
      caption={<Trans>What each student pays</Trans>}
      heads={[t`Student`, t`Price`, t`Pays`]}
      rows={rows.map((row) => ({
        key: row.id,
        cells: [
          <div key="student">
            {row.name}
            <div className="soft">{[row.grNo, row.place].join(' · ')}</div>
            <div className="soft">
              <Trans>from {showDate(row.joinedOn)}</Trans>
            </div>
          </div>,
          <div key="price" className={styles.amount}>
            {showMoney(row.gross)}
            {row.proRata > 0 && (
              <div className="soft">
                <Trans>Pro-rata {showMoney(-row.proRata)}</Trans>
              </div>
            )}
            {row.concession > 0 && (
              <div className="soft">
                <Trans>Concessions {showMoney(-row.concession)}</Trans>
              </div>
            )}
          </div>,
          <div key="net" className={styles.amount}>
            <strong>{showMoney(row.net)}</strong>
            <div className="soft">
              <Trans>first due {showDate(row.firstDue)}</Trans>
            </div>
          </div>,
        ],
      }))}
    />
  );
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { showMoney } from '#kit/contract/money.ts';
import { allocationFields, type PreviewedPlan, planApi } from '../contract/plan.ts';
import { PlanRun } from './PlanRun.tsx';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Makes fee plans for the selected students, after a preview of what each pays, and shows how far it is. */
export function AllocatePlans({ selection, clear }: Props) {
  const { t } = useLingui();
  const preview = usePreview(planApi.allocate);
  const { total = 0, changed = 0, rows = [] } = preview.shown?.answer ?? {};
  const amount = showMoney(total);
  return (
    <PlanRun
      endpoint={planApi.allocate}
      preview={preview}
      opener={<Trans>Make fee plans…</Trans>}
      title={t`Make fee plans`}
      about={t`Each student gets the grade’s published prices from the joining date.`}
      fields={allocationFields}
      hiddenValues={{ selection }}
      effect={(count) => (
        <Plural
          value={count}
          one={`# student pays ${amount} in the year.`}
          other={`# students pay ${amount} in the year.`}
        />
      )}
      details={rows.length > 0 && <Previewed rows={rows} count={changed} />}
      confirm={<Trans>Make plans</Trans>}
      onEnd={clear}
    />
  );
}

function Previewed({ rows, count }: { rows: readonly PreviewedPlan[]; count: number }) {
  const { t } = useLingui();
  const shown = rows.length;
  return (
    <>
      {shown < count && (
        <p className="soft">
          <Trans>
            The first {shown} of {count} students:
          </Trans>
        </p>
      )}
      <CardTable
        caption={<Trans>Fees of each student</Trans>}
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
            <Text as="div" breaks="never" key="price">
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
            </Text>,
            <Text as="div" breaks="never" key="net">
              <strong>{showMoney(row.net)}</strong>
              <div className="soft">
                <Trans>first due {showDate(row.firstDue)}</Trans>
              </div>
            </Text>,
          ],
        }))}
      />
    </>
  );
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { translate } from '#kit/browser/text.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { fleetApi } from '../contract/fleet.ts';

/** Takes rides into the next year: ends those that can't continue, and charges the others there. */
export function NextYear({ preview }: { preview: Preview<typeof fleetApi.nextYear> }) {
  const { t } = useLingui();
  const [run, setRun] = useState<number>();
  const { total = 0, year = '', ends = [], endsCount = 0, others = [] } = preview.shown?.answer ?? {};
  const title = year ? t`Riders of ${year}` : t`Riders of the next year`;
  const amount = showMoney(total);
  const further = endsCount - ends.length;
  return (
    <>
      {!preview.shown && preview.problem}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => (
          <>
            <Plural
              value={count - endsCount}
              _0={`No fees change in ${year}.`}
              one={`The fees of # rider in ${year} change, by ${amount}.`}
              other={`The fees of # riders in ${year} change, by ${amount} in all.`}
            />{' '}
            <Plural value={endsCount} _0="No ride ends." one="# ride ends:" other="# rides end:" />
          </>
        )}
        details={
          (endsCount > 0 || others.length > 0) && (
            <>
              {others.map((other) => (
                <p key={other.year}>
                  <Plural
                    value={other.riders}
                    one={`Besides, the fees of # rider differ by ${showMoney(other.total)} in ${other.year}.`}
                    other={`Besides, the fees of # riders differ by ${showMoney(other.total)} in ${other.year}.`}
                  />{' '}
                  <Trans>They are not changed here. Charge them under Slab prices.</Trans>
                </p>
              ))}
              <ul>
                {ends.map(({ id, name, reason }) => (
                  <li key={id}>
                    <strong>{name}</strong> <span className="soft">{translate(reason)}</span>
                  </li>
                ))}
                {further > 0 && (
                  <li className="soft">
                    <Plural value={further} one="And # more" other="And # more" />
                  </li>
                )}
              </ul>
            </>
          )
        }
        confirm={<Trans>Apply</Trans>}
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && <RunDialog id={run} title={title} onClose={() => setRun(undefined)} />}
    </>
  );
}

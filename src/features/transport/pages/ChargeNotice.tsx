import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { fleetApi } from '../contract/fleet.ts';

/** Riders who are charged other amounts than their stops cost since a slab, a price or a stop changed. */
export function ChargeNotice() {
  const mayCharge = useMay(fleetApi.charge);
  return mayCharge ? <Uncharged /> : null;
}

function Uncharged() {
  const { t } = useLingui();
  const { data } = useRead(fleetApi.uncharged, {});
  const preview = usePreview(fleetApi.charge);
  const [run, setRun] = useState<number>();
  const title = t`Charge what the stops cost`;
  const total = showMoney(preview.shown?.answer.total ?? 0);
  const amount = showMoney(Math.abs(data?.amount ?? 0));
  return (
    <>
      {data && data.riders > 0 && (
        <Notice as="div">
          {data.amount < 0 ? (
            <Plural
              value={data.riders}
              one={`# rider pays ${amount} too much for the stop.`}
              other={`# riders pay ${amount} too much for their stops in all.`}
            />
          ) : (
            <Plural
              value={data.riders}
              one={`# rider pays ${amount} too little for the stop.`}
              other={`# riders pay ${amount} too little for their stops in all.`}
            />
          )}{' '}
          <Button isBusy={preview.isBusy} onClick={() => void preview.show({})}>
            <Trans>Correct their fees…</Trans>
          </Button>
          {!preview.shown && preview.problem}
        </Notice>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => (
          <Plural
            value={count}
            one={`The fees of # rider change. Difference: ${total}.`}
            other={`The fees of # riders change. Difference: ${total} in all.`}
          />
        )}
        confirm={<Trans>Charge</Trans>}
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && <RunDialog id={run} title={title} onClose={() => setRun(undefined)} />}
    </>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { exportApi } from '../../contract/export.ts';
import type { SeatRow } from '../../contract/seat.ts';
import { DecideSelected } from './DecideSelected.tsx';
import { WaitingOrder } from './WaitingOrder.tsx';

interface Props {
  row: SeatRow;
  name: string;
  mayPlan: boolean;
}

const nothing = () => undefined;

/** The waiting list of a seat row: its order, and the next child where a seat is free. */
export function SeatQueue({ row, name, mayPlan }: Props) {
  const { t } = useLingui();
  const [isOrdering, setOrdering] = useState(false);
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const mayReadMerit = useMay(exportApi.merit);
  const { id, waiting, next, interaction } = row;
  const seatId = String(id);
  return (
    <>
      {waiting > 0 && (
        <span>
          <Button kind="link" aria-label={t`Waiting list of ${name}`} onClick={() => setOrdering(true)}>
            <Trans>Waiting {waiting}</Trans>
          </Button>
          {next && (
            <>
              {'. '}
              <Trans>
                Next:{' '}
                <PageLink
                  to="/school-erp/admission/process-admission/$inquiryID"
                  params={{ inquiryID: String(next.id) }}
                >
                  {next.child}
                </PageLink>
              </Trans>{' '}
              {mayPlan && (
                <DecideSelected kind="Offer" selection={{ ids: [next.id], isAll: false, query: {} }} onDone={nothing} />
              )}
            </>
          )}
        </span>
      )}
      {interaction === 'Assessment' && mayReadMerit && (
        <span>
          <ExportMenu
            words={<Trans>Merit list</Trans>}
            onExport={(as) => void attempt(() => download(exportApi.merit, { seatId, as }, `merit-list.${as}`))}
          />
          {problem}
        </span>
      )}
      {isOrdering && <WaitingOrder seatId={id} name={name} mayRank={mayPlan} onClose={() => setOrdering(false)} />}
    </>
  );
}

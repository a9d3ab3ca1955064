import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type SeatPlanOfYear, type SeatRow, seatApi } from '../../contract/seat.ts';
import { DecideDialog } from './DecideSelected.tsx';
import { OffersToMake } from './OffersToMake.tsx';
import { SeatDialog } from './SeatDialog.tsx';
import { AddSeats } from './SeatForm.tsx';
import { GradesWithSeats, SeatGrid } from './SeatGrid.tsx';
import styles from './SeatPlan.module.css';

interface Props {
  /** Where the page's head shows the offers' button. */
  head?: HTMLElement | null;
}

/** The seats of a year by grade and quota, and the families to whom a free one can be offered. */
export function SeatPlan({ head }: Props) {
  const { address } = useListAddress();
  const plan = useReadList(seatApi.list, { academicYearId: address.academicYearId ?? '' });
  return <QueryBoundary query={plan}>{(found) => <SeatsOfYear plan={found} head={head} />}</QueryBoundary>;
}

function SeatsOfYear({ plan, head }: Props & { plan: SeatPlanOfYear }) {
  const { t } = useLingui();
  const { year, years, rows, offers, proposed, may } = plan;
  const { address, go } = useListAddress();
  const [isAdding, setAdding] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [isOffering, setOffering] = useState(false);
  const [opened, setOpened] = useState<readonly number[]>();
  const chosen = offers.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  const offer = may.plan && chosen.length > 0 ? () => setOffering(true) : undefined;
  const open = (of: readonly SeatRow[]) => setOpened(of.map(({ id }) => id));
  const shown = opened && rows.filter(({ id }) => opened.includes(id));
  return (
    <Grid columns={1} gap={16}>
      <Row gap={8} align="center" wrap className={styles.head}>
        <select
          className="box"
          aria-label={t`Academic year`}
          value={String(year?.id ?? '')}
          onChange={(event) => go({ ...address, academicYearId: event.currentTarget.value })}
        >
          {years.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
        {rows.length > 0 && (
          <span className="soft">
            <Trans>Free of planned, today</Trans>
          </span>
        )}
        {may.plan && year && (
          <Row gap={8} wrap ml="auto">
            <Button onClick={() => setAdding(true)}>
              <Trans>Plan several grades…</Trans>
            </Button>
            {proposed > 0 && rows.length > 0 && <Propose yearId={year.id} count={proposed} />}
          </Row>
        )}
      </Row>
      {rows.length === 0 ? (
        <EmptyState message={<Trans>No seats are planned for {year?.name ?? ''}.</Trans>}>
          {may.plan && year && proposed > 0 && <Propose yearId={year.id} count={proposed} isMain />}
        </EmptyState>
      ) : (
        <Grid columns={1} gap={24} align="start" className={offers.length > 0 ? styles.split : undefined}>
          <SeatGrid plan={plan} onOpen={open} onOffer={offer} />
          <GradesWithSeats plan={plan} onOpen={open} />
          {offers.length > 0 && (
            <OffersToMake
              plan={plan}
              left={left}
              onTick={(id, isTicked) =>
                setLeft((before) => new Set(isTicked ? [...before].filter((other) => other !== id) : [...before, id]))
              }
              count={chosen.length}
              onOffer={offer}
              head={head}
            />
          )}
        </Grid>
      )}
      {isAdding && year && <AddSeats yearId={year.id} onClose={() => setAdding(false)} />}
      {shown && shown.length > 0 && <SeatDialog rows={shown} mayPlan={may.plan} onClose={() => setOpened(undefined)} />}
      {isOffering && (
        <DecideDialog
          kind="Offer"
          selection={{ ids: chosen, isAll: false, query: {} }}
          onDone={() => setLeft(new Set())}
          onClose={() => setOffering(false)}
        />
      )}
    </Grid>
  );
}

interface ProposeProps {
  yearId: number;
  count: number;
  isMain?: boolean;
}

/** Adds the rows that the sections propose, after a preview. */
function Propose({ yearId, count, isMain }: ProposeProps) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(seatApi.propose);
  const rows = preview.shown?.answer.rows ?? [];
  return (
    <>
      <Button
        kind={isMain ? 'main' : 'plain'}
        isBusy={preview.isBusy}
        onClick={() => void preview.show({ academicYearId: yearId })}
      >
        <Trans>Plan {count} grades from their sections…</Trans>
      </Button>
      {preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Seats from the sections`}
        confirm={<Trans>Add</Trans>}
        details={
          <ul>
            {rows.map(({ grade, program, branch, total, reserved }) => (
              <li key={[grade, program, branch].join(' ')}>
                <Trans>
                  {grade}, {program}, {branch}: {total} seats, {reserved} reserved
                </Trans>
              </li>
            ))}
          </ul>
        }
        onApplied={() => toast({ kind: 'success', title: t`Seats planned.` })}
      >
        <Trans>Rows to add: {rows.length}</Trans>
      </PreviewDialog>
    </>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useId, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, Row, Stack, Table } from '#kit/browser/ui/Layout.tsx';
import { Meter } from '#kit/browser/ui/Meter.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { quotas } from '../../contract/record.ts';
import { type SeatRow, seatApi } from '../../contract/seat.ts';
import { AddSeats, SeatForm } from './SeatForm.tsx';
import styles from './SeatPlan.module.css';
import { SeatQueue } from './SeatQueue.tsx';
import { typedSeat } from './typed-seat.ts';

type Plan = OutputOf<typeof seatApi.list>;

/** The seats of a year by grade and quota, edited where they are seen. */
export function SeatPlan() {
  const { address } = useListAddress();
  const plan = useReadList(seatApi.list, { academicYearId: address.academicYearId ?? '' });
  return <QueryBoundary query={plan}>{(found) => <SeatGrid plan={found} />}</QueryBoundary>;
}

const placeOf = ({ branchId, programId, gradeId }: SeatRow) => [branchId, programId, gradeId].join(' ');

function SeatGrid({ plan: { year, years, rows, proposed, may } }: { plan: Plan }) {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [isAdding, setAdding] = useState(false);
  const shown = quotas.filter((quota) => rows.some((row) => row.quota === quota));
  const places = [...Map.groupBy(rows, placeOf).values()];
  const isSeveral = new Set(rows.map(({ branchId, programId }) => [branchId, programId].join(' '))).size > 1;
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
        {may.plan && year && (
          <>
            <Button onClick={() => setAdding(true)}>
              <Trans>Plan several grades…</Trans>
            </Button>
            {proposed > 0 && rows.length > 0 && <Propose yearId={year.id} count={proposed} />}
          </>
        )}
      </Row>
      {rows.length === 0 ? (
        <EmptyState message={<Trans>No seats are planned for {year?.name ?? ''}.</Trans>}>
          {may.plan && year && proposed > 0 && <Propose yearId={year.id} count={proposed} isMain />}
        </EmptyState>
      ) : (
        <ScrollFrame label={t`Seats`}>
          <Table className={styles.grid}>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Grade</Trans>
                </th>
                {shown.map((quota) => (
                  <th key={quota} scope="col">
                    {translateOption(quota)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {places.map((of) => (
                <tr key={of[0] ? placeOf(of[0]) : ''}>
                  <th scope="row">
                    {of[0]?.grade}
                    {isSeveral && (
                      <span className="soft">
                        {' '}
                        {of[0]?.branch}, {of[0]?.program}
                      </span>
                    )}
                  </th>
                  {shown.map((quota) => {
                    const row = of.find((one) => one.quota === quota);
                    return <td key={quota}>{row && <Cell row={row} mayPlan={may.plan} />}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </Table>
        </ScrollFrame>
      )}
      {isAdding && year && <AddSeats yearId={year.id} onClose={() => setAdding(false)} />}
    </Grid>
  );
}

function Cell({ row, mayPlan }: { row: SeatRow; mayPlan: boolean }) {
  const { t } = useLingui();
  const toast = useToast();
  const id = useId();
  const update = useAction(seatApi.update);
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const { grade, quota, total, reserved, held, offered, confirmed, admitted, free } = row;
  const seats = total - reserved;
  const given = seats - free;
  const name = `${grade}, ${translateOption(quota)}`;
  const save = async () => {
    if (typed === undefined || typed.trim() === String(total)) return setTyped(undefined);
    const saved = await update.run({ id: row.id, version: row.version, ...typedSeat(row), total: typed } as never);
    if (!saved) return;
    setTyped(undefined);
    toast({ kind: 'success', title: t`Saved.`, of: name });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped(undefined);
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void save();
  };
  return (
    <Stack gap={4} className={styles.cell}>
      <Row gap={12} align="center" className={styles.numbers}>
        {mayPlan ? (
          <input
            className="box"
            inputMode="numeric"
            aria-label={t`Seats of ${name}`}
            aria-describedby={update.problem ? id : undefined}
            value={typed ?? String(total)}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={() => void save()}
          />
        ) : (
          <strong>{total}</strong>
        )}
        <Meter label={t`Seats given of ${name}`} value={given} of={seats}>
          <Trans>
            {given} of {seats}
          </Trans>
        </Meter>
        {mayPlan && (
          <Button kind="quiet" aria-label={t`Edit ${name}`} onClick={() => setOpen(true)}>
            <Trans>Edit</Trans>
          </Button>
        )}
      </Row>
      <div id={id}>{update.problem}</div>
      <span className="soft">
        <Trans>
          Held {held}, offered {offered}, confirmed {confirmed}, admitted {admitted}, free {free}
        </Trans>
      </span>
      <SeatQueue row={row} name={name} mayPlan={mayPlan} />
      {isOpen && <SeatForm row={row} name={name} onClose={() => setOpen(false)} />}
    </Stack>
  );
}

/** Adds the rows that the sections propose, after a preview. */
function Propose({ yearId, count, isMain }: { yearId: number; count: number; isMain?: boolean }) {
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

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { exportApi } from '../../contract/export.ts';
import type { SeatRow } from '../../contract/seat.ts';
import { SeatForm } from './SeatForm.tsx';
import { SeatSums } from './SeatSums.tsx';
import { WaitingOrder } from './WaitingOrder.tsx';

interface Props {
  /** The quotas of one grade. */
  rows: readonly SeatRow[];
  mayPlan: boolean;
  onClose: () => void;
}

type Inner = { what: 'plan' | 'order'; row: SeatRow };

/** What became of the seats of a grade, with the children that have them, their waiting list and their plan. */
export function SeatDialog({ rows, mayPlan, onClose }: Props) {
  const [inner, setInner] = useState<Inner>();
  const [first] = rows;
  const title = [first?.grade, rows.length === 1 && first && translateOption(first.quota)].filter(Boolean).join(', ');
  const nameOf = ({ grade, quota }: SeatRow) => `${grade}, ${translateOption(quota)}`;
  return (
    <>
      <SideDialog title={title} onClose={onClose}>
        {() => (
          <Stack gap={24}>
            {rows.map((row) => (
              <SeatPart
                key={row.id}
                row={row}
                name={nameOf(row)}
                isOnly={rows.length === 1}
                mayPlan={mayPlan}
                onOpen={(what) => setInner({ what, row })}
              />
            ))}
          </Stack>
        )}
      </SideDialog>
      {inner?.what === 'plan' && (
        <SeatForm row={inner.row} name={nameOf(inner.row)} onClose={() => setInner(undefined)} />
      )}
      {inner?.what === 'order' && (
        <WaitingOrder
          seatId={inner.row.id}
          name={nameOf(inner.row)}
          mayRank={mayPlan}
          onClose={() => setInner(undefined)}
        />
      )}
    </>
  );
}

interface PartProps {
  row: SeatRow;
  name: string;
  isOnly: boolean;
  mayPlan: boolean;
  onOpen: (what: Inner['what']) => void;
}

function SeatPart({ row, name, isOnly, mayPlan, onOpen }: PartProps) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const mayReadMerit = useMay(exportApi.merit);
  const { id, academicYearId, gradeId, quota, waiting, interaction } = row;
  const seatId = String(id);
  return (
    <section aria-label={name}>
      {!isOnly && <h3>{translateOption(quota)}</h3>}
      <SeatSums row={row} />
      <Row gap="4 16" align="center" wrap mt={8}>
        <SearchLink
          search={{ tab: 'all', academicYearId: String(academicYearId), gradeId: String(gradeId), quota, show: '' }}
        >
          <Trans>Applications</Trans>
        </SearchLink>
        {waiting > 0 && (
          <Button aria-label={t`Waiting list of ${name}`} onClick={() => onOpen('order')}>
            <Trans>Waiting list…</Trans>
          </Button>
        )}
        {mayPlan && (
          <Button aria-label={t`Change the plan of ${name}`} onClick={() => onOpen('plan')}>
            <Trans>Change plan…</Trans>
          </Button>
        )}
        {interaction === 'Assessment' && mayReadMerit && (
          <ExportMenu
            words={<Trans>Merit list</Trans>}
            onExport={(as) => void attempt(() => download(exportApi.merit, { seatId, as }, `merit-list.${as}`))}
          />
        )}
      </Row>
      {problem}
    </section>
  );
}

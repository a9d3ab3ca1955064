import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showReaderDay } from '#kit/browser/ui/show.ts';
import { type LeaveOfPerson, staffLeaveApi, type WorkdayOfPerson } from '../contract/leave.ts';
import { daysOf, type LeaveAct, OpenAct } from './acts.tsx';
import { stateKinds } from './states.ts';

/** Balances, leave and marks of a person. */
export function OwnLeave({
  of: { day, shift, shiftUntil, nextShifts, balances, leaves, marks },
}: {
  of: WorkdayOfPerson;
}) {
  const { t } = useLingui();
  const [open, setOpen] = useState<LeaveAct<LeaveOfPerson>>();
  const asOf = showReaderDay(day);
  const showShift = () => (shiftUntil ? t`Shift: ${shift} until ${showReaderDay(shiftUntil)}` : t`Shift: ${shift}`);
  const showNext = ({ name, from, until }: WorkdayOfPerson['nextShifts'][number]) =>
    until
      ? t`${name} from ${showReaderDay(from)} until ${showReaderDay(until)}`
      : t`${name} from ${showReaderDay(from)}`;
  return (
    <Stack gap={16}>
      {(shift || nextShifts.length > 0) && (
        <Text tone="soft">{[shift && showShift(), ...nextShifts.map(showNext)].filter(Boolean).join(' · ')}</Text>
      )}
      {balances.length > 0 && (
        <Stack gap={4}>
          <Text weight={600}>{t`Left on ${asOf}, in days`}</Text>
          <ListRows
            caption={t`Left on ${asOf}, in days`}
            heads={[t`Leave type`, t`Left`, t`Earned`, t`Credited`, t`Taken`]}
            rows={balances.map(({ code, name, earned, credited, taken, left }) => ({
              key: code,
              cells: [
                name,
                <strong key="left">{left}</strong>,
                earned,
                ...[credited, taken].map((days) => (days === '0' ? '' : days)),
              ],
            }))}
          />
        </Stack>
      )}
      {leaves.length > 0 && <Text weight={600}>{t`Leave asked and granted`}</Text>}
      {leaves.length === 0 ? (
        <EmptyState message={<Trans>No leave yet.</Trans>} />
      ) : (
        <ListRows
          caption={t`Leave`}
          heads={[t`Days`, t`Leave type`, t`Costs (days)`, t`Reason`, t`State`]}
          rows={leaves.map((leave) => ({
            key: leave.id,
            cells: [
              [
                daysOf(leave),
                ...(leave.fromHalf === 2 ? [t`begins at noon`] : []),
                ...(leave.toHalf === 1 ? [t`ends at noon`] : []),
              ].join(', '),
              leave.type,
              leave.costs,
              leave.reason,
              <Status key="state" kind={stateKinds[leave.state]}>
                {translateOption(leave.state)}
              </Status>,
            ],
            actions: <Acts leave={leave} open={setOpen} />,
          }))}
        />
      )}
      {marks.length > 0 && (
        <Stack gap={4}>
          <Text tone="soft">
            <Trans>Marks of the last 31 days other than present:</Trans>
          </Text>
          {marks.map(({ day: on, kind, inAt, note }) => (
            <Text key={on}>{[showReaderDay(on), translateOption(kind), inAt, note].filter(Boolean).join(' · ')}</Text>
          ))}
        </Stack>
      )}
      <OpenAct open={open} onClose={() => setOpen(undefined)} />
    </Stack>
  );
}

function Acts({ leave, open }: { leave: LeaveOfPerson; open: (act: LeaveAct<LeaveOfPerson>) => void }) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { id, may, hasPaper } = leave;
  return (
    <Row gap="4 8" wrap>
      {hasPaper && (
        <Button kind="quiet" onClick={() => attempt(() => download(staffLeaveApi.paper, { id }, t`leave-paper`))}>
          <Trans>Paper</Trans>
        </Button>
      )}
      {may.paper && (
        <Button kind="quiet" onClick={() => open({ what: 'paper', leave })}>
          {hasPaper ? <Trans>Replace the paper…</Trans> : <Trans>Add paper…</Trans>}
        </Button>
      )}
      {may.shorten && (
        <Button kind="quiet" onClick={() => open({ what: 'back', leave })}>
          <Trans>Back earlier…</Trans>
        </Button>
      )}
      {may.cancel && (
        <Button kind="quiet" onClick={() => open({ what: 'cancel', leave })}>
          <Trans>Cancel…</Trans>
        </Button>
      )}
      {problem}
    </Row>
  );
}

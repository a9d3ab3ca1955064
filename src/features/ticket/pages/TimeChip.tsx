import { useLingui } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import type { TicketChip, TicketState } from '../contract/state.ts';
import { useDuration } from './use-duration.tsx';

const chipKinds: Record<TicketChip, ChipKind> = {
  'On time': 'good',
  'Due today': 'warn',
  Overdue: 'bad',
  Paused: 'info',
  'Not timed': 'plain',
  Done: 'plain',
};

export const stateKinds: Record<TicketState, ChipKind> = {
  Open: 'warn',
  'In progress': 'info',
  'On hold': 'info',
  Resolved: 'good',
  Closed: 'plain',
  Cancelled: 'plain',
};

interface Props {
  chip: TicketChip;
  status: TicketState;
  minutesLeft: number | null;
}

/** How a ticket stands against its due time, with the business time that is left; of a solved one its status. */
export function TimeChip({ chip, status, minutesLeft }: Props) {
  const { t } = useLingui();
  const duration = useDuration({ isRough: true });
  if (chip === 'Done') return <Status kind={stateKinds[status]}>{translateOption(status)}</Status>;
  const left = minutesLeft === null ? '' : duration(Math.abs(minutesLeft));
  const words = translateOption(chip);
  if (!left) return <Status kind={chipKinds[chip]}>{words}</Status>;
  return (
    <Status kind={chipKinds[chip]}>
      {minutesLeft !== null && minutesLeft < 0 ? t`Late by ${left}` : t`${words}, ${left} left`}
    </Status>
  );
}

/** The cell of a list, whose words are not narrowed. */
export const chipOf = (row: { chip: string; status: string; minutesLeft: number | null }) => (
  <TimeChip {...(row as Props)} />
);

import { useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { monthName } from '../contract/month.ts';

function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

interface Props {
  month: string;
  /** The last month that can be chosen. */
  last?: string;
  onMonth: (month: string) => void;
}

/** The month that is shown, between the ones before and after it. */
export function MonthNav({ month, last, onMonth }: Props) {
  const { t } = useLingui();
  return (
    <Row as="span" inline gap={4} align="center">
      <IconButton label={t`Month before`} onClick={() => onMonth(monthAfter(month, -1))}>
        <IconChevronLeft size={18} aria-hidden />
      </IconButton>
      <strong>{monthName(month)}</strong>
      <IconButton
        label={t`Month after`}
        disabled={last !== undefined && month >= last}
        onClick={() => onMonth(monthAfter(month, 1))}
      >
        <IconChevronRight size={18} aria-hidden />
      </IconButton>
    </Row>
  );
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import type { SeatRow } from '../../contract/seat.ts';
import styles from './SeatSums.module.css';

/** What became of the seats of a grade and quota, down to those that are free. What is zero is left out. */
export function SeatSums({
  row: { reserved, admitted, confirmed, offered, held, free, total, waiting },
}: {
  row: SeatRow;
}) {
  const { t } = useLingui();
  const parts = [
    { label: t`Reserved`, value: reserved },
    { label: t`Admitted`, value: admitted },
    { label: t`Confirmed`, value: confirmed },
    { label: t`Offered`, value: offered },
    { label: t`On hold`, value: held },
  ];
  return (
    <span className={styles.sums}>
      {parts.map(
        ({ label, value }) =>
          value > 0 && (
            <Row as="span" justify="between" py={2} key={label}>
              <span className="soft">{label}</span> <span>{value}</span>
            </Row>
          ),
      )}
      <Row as="span" justify="between" py={2} weight={600} line="above">
        <Trans>Free of {total}</Trans> <span>{Math.max(free, 0)}</span>
      </Row>
      {waiting > 0 && (
        <Text as="span" tone="soft" size={13} block>
          <Plural value={waiting} one="# on the waiting list" other="# on the waiting list" />
        </Text>
      )}
    </span>
  );
}

import { Trans } from '@lingui/react/macro';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { PageChild } from '../contract/family.ts';
import { Block } from '../ui/Block.tsx';
import styles from './FamilyPage.module.css';

interface Props {
  dues: NonNullable<PageChild['dues']>;
  /** The day of the page. */
  today: string;
}

/** Amounts due by today, and amounts due within a month. */
export function Dues({ dues: { today: due, rows }, today }: Props) {
  return (
    <Block title={<Trans>Fees</Trans>}>
      <p className={styles.sum}>
        <span>
          <Trans>Due today</Trans>
        </span>
        <strong>{showMoney(due)}</strong>
      </p>
      <ul className={styles.rows}>
        {rows.map(({ label, dueOn, isFine, amount }) => {
          const day = showDate(dueOn, today);
          return (
            <li key={`${label} ${dueOn} ${isFine}`}>
              <span>{isFine ? <Trans>Late fine</Trans> : label}</span>
              <span className={styles.amount}>{showMoney(amount)}</span>
              <small>{isFine ? <Trans>As of today, for dues of {day}</Trans> : <Trans>Due {day}</Trans>}</small>
            </li>
          );
        })}
      </ul>
    </Block>
  );
}

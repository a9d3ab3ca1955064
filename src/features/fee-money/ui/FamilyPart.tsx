import { Trans } from '@lingui/react/macro';
import { Block } from '#features/family/ui/Block.tsx';
import type { FamilyPartView, TodayProps } from '#features/family/ui/part.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { showDay } from '#kit/contract/format.ts';
import { showMoney } from '#kit/contract/show-money.ts';
import type { FamilyFees } from '../contract/family.ts';
import styles from './FamilyDues.module.css';

interface Props {
  value: readonly FamilyFees[];
  childId: number;
  /** The day of the page. */
  today: string;
}

/** Amounts due by today, and amounts due within a month. */
function OfChild({ value, childId, today }: Props) {
  const language = useLanguage();
  const own = value.find(({ studentId }) => studentId === childId);
  if (!own) return null;
  const { today: due, rows } = own;
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
          const day = showDay(dueOn, language, today);
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

function Lines({ value, child }: TodayProps<readonly FamilyFees[]>) {
  const due = value.find(({ studentId }) => studentId === child.id)?.today ?? 0;
  const amount = showMoney(due);
  return due > 0 ? (
    <p>
      <Trans>Fees due today: {amount}</Trans>
    </p>
  ) : null;
}

export const familyPart = { key: 'fee-money', place: 1, Today: { place: 4, Lines }, OfChild } satisfies FamilyPartView<
  readonly FamilyFees[]
>;

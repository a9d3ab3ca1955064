import type { ComponentProps } from 'react';
import styles from './AmountTable.module.css';
import cards from './CardTable.module.css';
import { CardTable } from './CardTable.tsx';
import { classNames } from './class-names.ts';

interface Props extends Omit<ComponentProps<typeof CardTable>, 'className'> {
  /** The heads of the columns of amounts. */
  amounts: readonly string[];
}

/** A `CardTable` whose amounts stand at the right under their heads, where there is room for columns. */
export const AmountTable = ({ amounts, ...table }: Props) => (
  <CardTable
    {...table}
    className={classNames(
      cards.cards,
      styles.table,
      ...table.heads.map((head, index) => amounts.includes(head) && styles[`column${index + 1}`]),
    )}
  />
);

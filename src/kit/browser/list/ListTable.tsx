import type { ComponentProps } from 'react';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import styles from './ListTable.module.css';

interface Props extends ComponentProps<'table'> {
  /** Columns are as wide as their content; else they have widths of their own. */
  isFluid?: boolean;
}

/** The table of a list: its heads stay in sight. */
export const ListTable = ({ isFluid, className, ...rest }: Props) => (
  <table {...rest} className={classNames(styles.list, isFluid && styles.fluid, className)} />
);

/** Such a table by its heads and the cells of its rows. */
export const ListRows = ({ className, ...rest }: ComponentProps<typeof CardTable>) => (
  <CardTable {...rest} className={classNames(styles.list, className)} />
);

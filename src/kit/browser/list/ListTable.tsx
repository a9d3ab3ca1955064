import type { ComponentProps } from 'react';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import styles from './ListTable.module.css';

/** The table of a list: its heads stay in sight. */
export const ListTable = ({ className, ...rest }: ComponentProps<'table'>) => (
  <table {...rest} className={classNames(styles.list, className)} />
);

/** Such a table by its heads and the cells of its rows. */
export const ListRows = ({ className, ...rest }: ComponentProps<typeof CardTable>) => (
  <CardTable {...rest} className={classNames(styles.list, className)} />
);

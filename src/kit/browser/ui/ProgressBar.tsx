import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './ProgressBar.module.css';

/** How far a work is; without a value it moves. */
export const ProgressBar = ({ className, ...rest }: ComponentProps<'progress'>) => (
  <progress {...rest} className={classNames(styles.bar, className)} />
);

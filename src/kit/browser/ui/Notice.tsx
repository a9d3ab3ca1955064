import type { ComponentPropsWithRef, ComponentType } from 'react';
import { classNames } from './class-names.ts';
import styles from './Notice.module.css';

type Props<As extends 'p' | 'div' | 'section' | 'details'> = ComponentPropsWithRef<As> & {
  /** A paragraph, unless it contains more than text. */
  as?: As;
  /** By default it asks for attention. */
  kind?: 'good' | 'bad';
};

/** A message that stays on the page. Its `role` decides whether it is announced when it appears. */
export function Notice<As extends 'p' | 'div' | 'section' | 'details' = 'p'>({
  as,
  kind,
  className,
  ...rest
}: Props<As>) {
  const Element = (as ?? 'p') as unknown as ComponentType<{ className?: string }>;
  return <Element {...rest} className={classNames(styles.notice, kind && styles[kind], className)} />;
}

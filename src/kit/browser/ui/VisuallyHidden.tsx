import type { ComponentPropsWithRef, ComponentType } from 'react';
import styles from './VisuallyHidden.module.css';

type Tag = 'span' | 'p' | 'h2' | 'caption' | 'legend' | 'input';
type Props<As extends Tag> = Omit<ComponentPropsWithRef<As>, 'className'> & { as?: As };

/** Text for screen readers only. */
export function VisuallyHidden<As extends Tag = 'span'>({ as, ...rest }: Props<As>) {
  const Element = (as ?? 'span') as unknown as ComponentType<{ className?: string }>;
  return <Element {...rest} className={styles.hidden} />;
}

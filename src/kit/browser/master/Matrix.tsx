import type { ReactNode, Ref } from 'react';
import { classNames } from '#kit/browser/ui/class-names.ts';
import styles from './Matrix.module.css';

interface Props {
  ref?: Ref<HTMLElement>;
  label: string;
  className?: string;
  /** The table. A cell that is changed and not saved has `data-changed`. */
  children: ReactNode;
}

/** A table of two dimensions that scrolls in its frame. */
export const Matrix = ({ ref, label, className, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard.
  <section ref={ref} className={classNames(styles.matrix, className)} aria-label={label} tabIndex={0}>
    {children}
  </section>
);

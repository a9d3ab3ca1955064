import type { ReactNode } from 'react';
import styles from './Block.module.css';

interface Props {
  title: ReactNode;
  /** Beside the title, such as how many are new. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of the family page under its heading. */
export const Block = ({ title, aside, children }: Props) => (
  <section className={styles.block}>
    <h2>
      {title}
      {aside && <small>{aside}</small>}
    </h2>
    {children}
  </section>
);

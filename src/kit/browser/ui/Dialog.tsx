import type { ReactNode } from 'react';
import styles from './Dialog.module.css';

/** The buttons at a dialog's end. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
);

import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './Dialog.module.css';

/** A native dialog over the page; `showModal` of its ref opens it. */
export const Dialog = ({ className, ...rest }: ComponentPropsWithRef<'dialog'>) => (
  <dialog {...rest} className={classNames(styles.dialog, className)} />
);

/** The buttons at a dialog's end. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons} data-buttons>
    {children}
  </div>
);

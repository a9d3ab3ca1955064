import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './Dialog.module.css';

interface Props extends ComponentPropsWithRef<'dialog'> {
  /** `form` has room for questions, `side` stands at the window's side. */
  kind?: 'form' | 'side';
}

/** A native dialog over the page; `showModal` of its ref opens it. */
export const Dialog = ({ kind, className, ...rest }: Props) => (
  <dialog
    {...rest}
    data-kind={kind}
    className={classNames(styles.dialog, kind && styles.form, kind === 'side' && styles.side, className)}
  />
);

/** The buttons at a dialog's end. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
);

import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Dialog } from './Dialog.tsx';
import styles from './WideDialog.module.css';

interface Props extends ComponentProps<typeof Dialog> {
  /** At the window's side and as high as the window. */
  isAtSide?: boolean;
  /** As wide as the window too. */
  isWhole?: boolean;
}

/** A dialog with room for a form. */
export const WideDialog = ({ isAtSide, isWhole, ...rest }: Props) => (
  <Dialog
    {...rest}
    data-kind={isAtSide ? 'side' : undefined}
    className={classNames(styles.form, isAtSide && styles.side, isWhole && styles.whole)}
  />
);

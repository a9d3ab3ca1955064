import { Trans } from '@lingui/react/macro';
import { IconClockExclamation } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ChipKind } from './Chip.tsx';
import styles from './Status.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

interface Props {
  kind?: ChipKind;
  children: ReactNode;
}

/** The status of a record: a dot and a word. The dot only helps to find it. */
export const Status = ({ kind = 'plain', children }: Props) => (
  <span className={`${styles.status} ${styles[kind]}`}>{children}</span>
);

interface Late {
  /** The words themselves say that it is late. */
  isSaid?: boolean;
  children: ReactNode;
}

/** A day, a number or words that are late, with a clock beside them: their colour only helps to find them. */
export const Overdue = ({ isSaid = false, children }: Late) => (
  <span className={styles.overdue}>
    <IconClockExclamation size={15} aria-hidden />
    {!isSaid && (
      <>
        <VisuallyHidden>
          <Trans>Overdue</Trans>
        </VisuallyHidden>{' '}
      </>
    )}
    {children}
  </span>
);

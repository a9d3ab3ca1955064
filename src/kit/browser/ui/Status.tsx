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

/** A day or a number that is late, with a clock beside it: its colour only helps to find it. */
export const Overdue = ({ children }: { children: ReactNode }) => (
  <span className={styles.overdue}>
    <IconClockExclamation size={15} aria-hidden />
    <VisuallyHidden>
      <Trans>Overdue</Trans>
    </VisuallyHidden>{' '}
    {children}
  </span>
);

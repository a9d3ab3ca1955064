import { Popover } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import styles from './FilterPanel.module.css';

interface Props {
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** The button that opens it. */
  button: ReactElement<{ onClick?: () => void }>;
  children: ReactNode;
}

/** Controls that narrow a list, below the button that opens them. */
export const FilterPanel = ({ isOpen, onToggle, button, children }: Props) => (
  <Popover
    opened={isOpen}
    onChange={onToggle}
    position="bottom-start"
    shadow="none"
    withinPortal={false}
    transitionProps={{ duration: 0 }}
    trapFocus
    returnFocus
  >
    <Popover.Target>{button}</Popover.Target>
    <Popover.Dropdown className={styles.panel}>{children}</Popover.Dropdown>
  </Popover>
);

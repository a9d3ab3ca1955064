import type { ReactNode } from 'react';
import { Row } from '#kit/browser/ui/Layout.tsx';
import styles from './FootAct.module.css';

/** The acts of a tab beside its title; on a phone at the foot, in reach of the thumb, however long the tab is. */
export const FootAct = ({ children }: { children: ReactNode }) => (
  <Row gap={8} wrap className={styles.act}>
    {children}
  </Row>
);

import { useEffect, useState } from 'react';
import { ProgressBar } from '#kit/browser/ui/ProgressBar.tsx';
import styles from './FileImport.module.css';

const isLate = 2000;

/** The words of the work, with a moving bar after two seconds. */
export function Progress({ children }: { children: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), isLate);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className={styles.progress}>
      {children}
      {isLong && <ProgressBar aria-label={children} />}
    </p>
  );
}

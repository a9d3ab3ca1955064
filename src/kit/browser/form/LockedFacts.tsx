import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import type { ReactNode } from 'react';
import { Fold } from './Fold.tsx';
import styles from './LockedFacts.module.css';

interface Props {
  facts: { label: string; value: string }[];
  source: ReactNode;
  /** The facts in a few words, if these are enough at first; it opens the rest. */
  line?: string;
  /** Actions on the facts. */
  children?: ReactNode;
}

/** Values that cannot be changed, as text with a small lock. */
export function LockedFacts({ facts, source, line, children }: Props) {
  if (facts.length === 0) return null;
  const list = (
    <dl>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
  if (line === undefined) {
    return (
      <div className={styles.locked}>
        {list}
        <p className={styles.source}>
          <IconLock size={16} aria-hidden /> {source}
        </p>
        {children}
      </div>
    );
  }
  return (
    <Fold
      line={
        <>
          <IconLock size={16} aria-hidden />
          <b>{line}</b> <span>{source}</span>
        </>
      }
    >
      <div className={styles.locked}>
        {list}
        {children}
      </div>
    </Fold>
  );
}

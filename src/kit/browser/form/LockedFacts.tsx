import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import type { ReactNode } from 'react';
import styles from './LockedFacts.module.css';

/** Values that cannot be changed, as text with a small lock. */
export function LockedFacts({ facts, source }: { facts: { label: string; value: string }[]; source: ReactNode }) {
  if (facts.length === 0) return null;
  return (
    <div className={styles.locked}>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.source}>
        <IconLock size={16} aria-hidden /> {source}
      </p>
    </div>
  );
}

import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import type { ReactNode } from 'react';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import styles from './LockedFacts.module.css';

interface Props {
  facts: { label: string; value: string }[];
  source: ReactNode;
  /** The facts in a few words; it opens the rest. */
  line: string;
  /** Actions on the facts. */
  children?: ReactNode;
}

/** Values that cannot be changed: a line with a small lock, which opens to all of them as text. */
export function LockedFacts({ facts, source, line, children }: Props) {
  if (facts.length === 0) return null;
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
        <dl>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <BreakableText text={value} />
              </dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
    </Fold>
  );
}

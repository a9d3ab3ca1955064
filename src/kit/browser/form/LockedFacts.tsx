import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import type { ReactNode } from 'react';

/** Values that cannot be changed, as text with a small lock. */
export function LockedFacts({ facts, source }: { facts: { label: string; value: string }[]; source: ReactNode }) {
  if (facts.length === 0) return null;
  return (
    <div className="locked">
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="locked-source">
        <IconLock size={16} aria-hidden /> {source}
      </p>
    </div>
  );
}

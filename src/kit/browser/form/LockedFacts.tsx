import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import type { ReactNode } from 'react';
import { Fold } from './Fold.tsx';

interface Props {
  facts: { label: string; value: string }[];
  source: ReactNode;
  /** The facts in a few words, where these are enough at first; the rest opens. */
  line?: string;
  /** What can be done about them. */
  children?: ReactNode;
}

/** What cannot be changed, as printed text with a small lock. */
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
      <div className="locked">
        {list}
        <p className="locked-source">
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
      <div className="locked">
        {list}
        {children}
      </div>
    </Fold>
  );
}

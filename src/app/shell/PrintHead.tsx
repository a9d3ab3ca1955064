import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { showMoment } from '#kit/browser/ui/show.ts';

interface Props {
  schoolName: string;
  /** Who prints. */
  person: string;
}

/** What every printed page begins with: the school, the moment and the person. */
export function PrintHead({ schoolName, person }: Props) {
  const [at, setAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    const take = () => flushSync(() => setAt(new Date().toISOString()));
    window.addEventListener('beforeprint', take);
    return () => window.removeEventListener('beforeprint', take);
  }, []);
  return (
    <p className="only-print print-head" aria-hidden>
      <strong>{schoolName}</strong>{' '}
      <span>
        <Trans>
          Printed on {showMoment(at)} by {person}
        </Trans>
      </span>
    </p>
  );
}

import { Trans } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { said } from './text.ts';

interface Props<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** What is read, once it is there; before, a skeleton after 200 ms; and where it failed, why, with another try. */
export function Reading<Data>({ query: { data, error, refetch, isFetching }, children }: Props<Data>) {
  const isLate = useLate();
  if (data !== undefined) return children(data);
  if (error) {
    return (
      <div role="alert" className="failed">
        <p>{said(error instanceof AppError ? error.message : unexpectedMessage)}</p>
        <button type="button" className="button" aria-disabled={isFetching} onClick={() => void refetch()}>
          <Trans>Try again</Trans>
        </button>
      </div>
    );
  }
  return isLate ? <div className="skeleton-lines" aria-hidden /> : null;
}

function useLate() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

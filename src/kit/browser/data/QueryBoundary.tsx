import { Trans } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { AppError } from '#kit/contract/errors.ts';
import { errorMessage } from './attempt.tsx';
import styles from './QueryBoundary.module.css';

interface Props<Data> {
  query: UseQueryResult<Data>;
  /** Replaces the data while it loads; by default grey lines after 200 ms. */
  skeleton?: ReactNode;
  /** Reads again; by default only the query. */
  onRetry?: () => unknown;
  children: (data: Data) => ReactNode;
}

/** Refusals after which nothing of a page remains: an error page replaces it. */
const wholePage = ['forbidden', 'not_found'];

/**
 * Shows what was read; before that a skeleton after 200 ms, and on failure the reason with a retry. Throws for records
 * that are forbidden or deleted, so that the route shows its page for them.
 */
export function QueryBoundary<Data>({ query, skeleton, onRetry, children }: Props<Data>) {
  const { data, error } = query;
  const isLate = useLate();
  if (error instanceof AppError && wholePage.includes(error.code)) throw error;
  if (data !== undefined) {
    return (
      <>
        {error && <ReadFailed query={query} onRetry={onRetry} isOld />}
        {children(data)}
      </>
    );
  }
  if (error) return <ReadFailed query={query} onRetry={onRetry} />;
  return skeleton ?? (isLate ? <div className={styles.skeleton} data-skeleton aria-hidden /> : null);
}

interface FailedProps {
  query: { error: unknown; refetch: () => unknown; isFetching: boolean };
  onRetry?: () => unknown;
  /** An older answer is still shown. */
  isOld?: boolean;
}

/** The reason of a failed read, and a retry. */
export function ReadFailed({ query: { error, refetch, isFetching }, onRetry = refetch, isOld }: FailedProps) {
  const confirmed = useConfirmed();
  const readAgain = async () => {
    const { error } = ((await onRetry()) ?? {}) as { error?: unknown };
    if (error) throw error;
  };
  const content = (
    <>
      <p>
        {isOld && <Trans>This page may be out of date.</Trans>} {errorMessage(error)}
      </p>
      <Button isBusy={isFetching} onClick={() => void confirmed(readAgain).catch(() => undefined)}>
        <Trans>Try again</Trans>
      </Button>
    </>
  );
  return isOld ? (
    <Notice as="div" role="alert" className={styles.failed}>
      {content}
    </Notice>
  ) : (
    <div role="alert" className={styles.failed}>
      {content}
    </div>
  );
}

function useLate() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

import { Trans } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { AppError } from '#kit/contract/errors.ts';
import { errorMessage } from './attempt.tsx';
import styles from './QueryBoundary.module.css';

interface Props<Data> {
  query: UseQueryResult<Data>;
  /** Keeps the place of what is read; without it, grey lines after 200 ms. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Refusals that leave nothing of a page: the page that stands for all of them takes its place. */
const wholePage = ['forbidden', 'not_found'];

/**
 * What is read, once it is there; before, a skeleton after 200 ms; and where it failed, why, with another try. What may
 * not be read, or is gone, is thrown, for the route to show a page that says so.
 */
export function QueryBoundary<Data>({ query, skeleton, children }: Props<Data>) {
  const { data, error } = query;
  const isLate = useLate();
  if (error instanceof AppError && wholePage.includes(error.code)) throw error;
  if (data !== undefined) {
    return (
      <>
        {error && <ReadFailed query={query} isOld />}
        {children(data)}
      </>
    );
  }
  if (error) return <ReadFailed query={query} />;
  return skeleton ?? (isLate ? <div className={styles.skeleton} data-skeleton aria-hidden /> : null);
}

interface FailedProps {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
  /** An older answer is still shown. */
  isOld?: boolean;
}

/** Why nothing could be read, and another try. */
export function ReadFailed({ query: { error, refetch, isFetching }, isOld }: FailedProps) {
  const content = (
    <>
      <p>
        {isOld && <Trans>This page may be out of date.</Trans>} {errorMessage(error)}
      </p>
      <Button isBusy={isFetching} onClick={() => void refetch()}>
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

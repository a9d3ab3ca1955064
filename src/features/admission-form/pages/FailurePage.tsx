import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { AppError, noConnectionMessage } from '#kit/contract/errors.ts';
import { isSame } from '#kit/contract/text.ts';
import { lazyPart, renewParts } from './lazy-part.ts';
import { useReload } from './page-data.ts';
import { SchoolPage } from './SchoolPage.tsx';

// Few families see it, and the form's first view has no room for it.
const LinkProblemPage = lazyPart(async () => (await import('./LinkProblemPage.tsx')).LinkProblemPage);

/** Replaces a page that failed: the same neutral page for every invalid link, or "Try again". */
export function FailurePage({ error }: { error: unknown }) {
  const { t } = useLingui();
  const reload = useReload();
  const tryAgain = () => {
    renewParts();
    void reload();
  };
  const code = error instanceof AppError ? error.code : 'unexpected';
  if (code === 'not_found' || code === 'too_many_tries') {
    return (
      <Suspense>
        <LinkProblemPage />
      </Suspense>
    );
  }
  return (
    <SchoolPage title={t`Admission Form`}>
      <h1>
        <Trans>This page could not be opened</Trans>
      </h1>
      <p className="lead">
        {error instanceof AppError && isSame(error.text, noConnectionMessage) ? (
          <Trans>No connection. Your answers are still here. Try again.</Trans>
        ) : error instanceof AppError ? (
          translate(error.text)
        ) : (
          <Trans>Something went wrong on our side. Nothing you entered is lost. Try again.</Trans>
        )}
      </p>
      <Button kind="main" onClick={tryAgain}>
        <Trans>Try again</Trans>
      </Button>
    </SchoolPage>
  );
}

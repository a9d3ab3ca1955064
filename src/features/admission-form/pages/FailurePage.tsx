import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { AppError, noConnectionMessage } from '#kit/contract/errors.ts';
import { LinkProblemPage } from './LinkProblemPage.tsx';
import { SchoolPage } from './SchoolPage.tsx';

/** What stands in a page's place when it cannot be shown: one neutral page for every link that opens nothing, or "try again". */
export function FailurePage({ error }: { error: unknown }) {
  const { t } = useLingui();
  const router = useRouter();
  const code = error instanceof AppError ? error.code : 'unexpected';
  if (code === 'not_found' || code === 'too_many_tries') return <LinkProblemPage />;
  return (
    <SchoolPage title={t`Admission Form`}>
      <h1>
        <Trans>This page cannot be shown just now</Trans>
      </h1>
      <p className="lead">
        {error instanceof AppError && error.message === noConnectionMessage ? (
          <Trans>There is no connection. What you have saved is safe. Please try again.</Trans>
        ) : error instanceof AppError ? (
          translate(error.message)
        ) : (
          <Trans>Something went wrong on our side. What you have saved is safe. Please try again.</Trans>
        )}
      </p>
      <Button kind="main" onClick={() => void router.invalidate()}>
        <Trans>Try again</Trans>
      </Button>
    </SchoolPage>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useRouteContext, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { errorMessage } from '#kit/browser/data/attempt.tsx';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { AppError } from '#kit/contract/errors.ts';
import { Shell } from './Shell.tsx';

const useMe = () => useRouteContext({ from: '/school-erp' }).me;

/** The shell for signed-in users; without a session, the pages that are open tell visitors what to do. */
export function ShellRoute() {
  const me = useMe();
  return me ? <Shell me={me} /> : <SignInFirst />;
}

function SignInFirst() {
  const { t } = useLingui();
  return (
    <main className="alone">
      <PageHead title={t`Sign in to see admissions`} />
      <p>
        <ButtonLink to="/login" kind="main">
          <Trans>Sign In</Trans>
        </ButtonLink>
      </p>
    </main>
  );
}

/** Replaces a page in the shell that is forbidden, deleted, or failed to draw. */
export function ProblemPage({ error }: { error: unknown }) {
  const { t } = useLingui();
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'forbidden') {
    return (
      <Problem title={t`You do not have access to this page`}>
        <Trans>Your permissions do not include this page. If you need it for your work, ask an Admin.</Trans>
      </Problem>
    );
  }
  if (code === 'not_found') {
    return (
      <Problem title={t`Page not found`}>
        <Trans>The record was deleted, or the web address is wrong.</Trans>
      </Problem>
    );
  }
  // The router has reloaded once; code of a part of a page, such as a panel, is fetched only when it is opened.
  if (isGoneCode(error)) {
    const reload = (
      <Button kind="main" onClick={() => window.location.reload()}>
        <Trans>Reload</Trans>
      </Button>
    );
    return (
      <Problem title={t`Shala was upgraded`} way={reload}>
        <Trans>This part of the page has changed since you opened it. Reload to continue.</Trans>
      </Problem>
    );
  }
  return (
    <Problem title={t`This page could not be opened`} way={<TryAgain />}>
      {errorMessage(error)}
    </Problem>
  );
}

/** As Chromium, Firefox and Safari say that the file of an import is missing, and Vite for its styles. */
const goneCode = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

const isGoneCode = (error: unknown) => error instanceof Error && goneCode.test(error.message);

/** Opens the page again: when it is pressed, and by itself as soon as the network is back. */
function TryAgain() {
  const router = useRouter();
  useEffect(() => {
    const open = () => void router.invalidate();
    window.addEventListener('online', open);
    return () => window.removeEventListener('online', open);
  }, [router]);
  return (
    <Button kind="main" onClick={() => void router.invalidate()}>
      <Trans>Try again</Trans>
    </Button>
  );
}

interface ProblemProps {
  title: string;
  children: ReactNode;
  /** The next step, where it is not going home. */
  way?: ReactNode;
}

const Problem = ({ title, children, way }: ProblemProps) => (
  <>
    <PageHead title={title} />
    <div className="notice-page">
      <p>{children}</p>
      <p>
        {way ?? (
          <ButtonLink to="/school-erp">
            <Trans>Go to the dashboard</Trans>
          </ButtonLink>
        )}
      </p>
    </div>
  </>
);

/** Shown when the server could not tell who is signed in. */
export function AwayPage({ error }: { error: unknown }) {
  const { t } = useLingui();
  return (
    <main className="alone">
      <PageHead title={t`This page could not be opened`} />
      <p role="alert">{errorMessage(error)}</p>
      <p>
        <TryAgain />
      </p>
    </main>
  );
}

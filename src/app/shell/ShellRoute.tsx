import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useRouteContext, useRouter } from '@tanstack/react-router';
import { PageHead } from '#kit/browser/PageHead.tsx';
import { said } from '#kit/browser/text.ts';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { DashboardPage } from './DashboardPage.tsx';
import { Shell } from './Shell.tsx';

const useMe = () => useRouteContext({ from: '/school-erp' }).me;

/** The shell for who is signed in; without, the pages that are open say what to do. */
export function ShellRoute() {
  const me = useMe();
  return me ? <Shell me={me} /> : <SignInFirst />;
}

export function DashboardRoute() {
  const me = useMe();
  return me && <DashboardPage me={me} />;
}

function SignInFirst() {
  const { t } = useLingui();
  return (
    <main className="alone">
      <PageHead title={t`Sign in to see admissions`} />
      <p>
        <Link to="/login" className="button button-main">
          <Trans>Sign In</Trans>
        </Link>
      </p>
    </main>
  );
}

/** Shown when the server could not say who is signed in. */
export function AwayPage({ error }: { error: unknown }) {
  const { t } = useLingui();
  const router = useRouter();
  return (
    <main className="alone">
      <PageHead title={t`This page could not be opened`} />
      <p role="alert">{said(error instanceof AppError ? error.message : unexpectedMessage)}</p>
      <p>
        <button type="button" className="button button-main" onClick={() => void router.invalidate()}>
          <Trans>Try again</Trans>
        </button>
      </p>
    </main>
  );
}

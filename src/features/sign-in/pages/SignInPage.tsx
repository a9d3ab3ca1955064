import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';

/** The place where staff will sign in. */
export function SignInPage() {
  const { t } = useLingui();
  const title = t`Sign In | School ERP System`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className="sign-in">
      <h1>
        <Trans>Sign In</Trans>
      </h1>
      <p>
        <Trans>Staff sign in here. Parents open the admission form with the link the school sent them.</Trans>
      </p>
    </main>
  );
}

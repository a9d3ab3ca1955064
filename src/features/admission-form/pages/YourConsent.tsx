import { Trans } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { lazyPart } from './lazy-part.ts';

// Few withdraw: what that takes is fetched once this is opened.
const WithdrawConsent = lazyPart(async () => (await import('./WithdrawConsent.tsx')).WithdrawConsent);

export function YourConsent() {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details className="instructions" onToggle={() => setOpened(true)}>
      <summary>
        <Trans>Your consent</Trans>
      </summary>
      <p>
        <Trans>
          You agreed that the school may use your answers for this application. You can withdraw at any time. The form
          will close and we will ask the school to erase your answers.
        </Trans>
      </p>
      {wasOpened && (
        <Suspense>
          <WithdrawConsent />
        </Suspense>
      )}
    </details>
  );
}

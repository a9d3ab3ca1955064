import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { passwordApi } from '../contract/password.ts';
import { Alone, Done } from './Alone.tsx';
import { BackToSignIn, Submit } from './ResetPage.tsx';

/** /sign-up: asks the school for an account. */
export function SignUpPage() {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  return (
    <Alone title={t`Ask for an account`}>
      {isAsked ? (
        <Done>
          <Trans>Your request is with the school. You will hear by e-mail once it is decided.</Trans>
        </Done>
      ) : (
        <>
          <p className="sign-in-lead">
            <Trans>For those who work at the school. Parents need no account.</Trans>
          </p>
          <ApiForm
            endpoint={passwordApi.signUp}
            initial={{ name: '', email: '', mobile: '', reason: '' }}
            onDone={() => setAsked(true)}
            label={t`Ask for an account`}
            buttons={(isSending) => <Submit isSending={isSending} words={<Trans>Send the request</Trans>} />}
          >
            <TextField name="name" autoComplete="name" />
            <TextField name="email" type="email" inputMode="email" autoComplete="email" />
            <TextField name="mobile" type="tel" inputMode="tel" autoComplete="tel" hint={<Trans>10 digits</Trans>} />
            <TextField name="reason" long hint={<Trans>Your work here, and who can confirm it</Trans>} />
          </ApiForm>
        </>
      )}
      <BackToSignIn />
    </Alone>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { passwordApi } from '../contract/password.ts';
import { Alone, Done } from './Alone.tsx';
import { BackToSignIn, Submit } from './ResetPage.tsx';

/** /sign-up: requests an account. */
export function SignUpPage() {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  return (
    <Alone title={t`Request an account`}>
      {isAsked ? (
        <Done>
          <Trans>Request sent. The school will reply by email.</Trans>
        </Done>
      ) : (
        <>
          <p className="sign-in-lead">
            <Trans>For school staff only. Parents don’t need an account.</Trans>
          </p>
          <ApiForm
            endpoint={passwordApi.signUp}
            initial={{ name: '', email: '', mobile: '', reason: '' }}
            onDone={() => setAsked(true)}
            label={t`Request an account`}
            buttons={(isSending) => <Submit isSending={isSending} words={<Trans>Send request</Trans>} />}
          >
            <TextField name="name" autoComplete="name" />
            <TextField name="email" type="email" inputMode="email" autoComplete="email" />
            <TextField name="mobile" type="tel" inputMode="tel" autoComplete="tel" hint={<Trans>10 digits</Trans>} />
            <TextField
              name="reason"
              long
              hint={<Trans>Enter your job at the school and a colleague who can confirm it.</Trans>}
            />
          </ApiForm>
        </>
      )}
      <BackToSignIn />
    </Alone>
  );
}

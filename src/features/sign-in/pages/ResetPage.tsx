import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { PasswordField, TextField } from '#kit/browser/form/fields.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { passwordApi } from '../contract/password.ts';
import { Alone, Done } from './Alone.tsx';

/** /reset-password: asks for a link, or, opened by such a link, for the new password. */
export function ResetPage() {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token'));
  return token === null ? <AskForLink /> : <ChoosePassword token={token} />;
}

function AskForLink() {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  return (
    <Alone title={t`Choose a new password`}>
      {isAsked ? (
        <Done>
          <Trans>
            If this email address belongs to an account, we sent a link to it. The link expires in 30 minutes.
          </Trans>
        </Done>
      ) : (
        <ApiForm
          endpoint={passwordApi.sendReset}
          initial={{ email: '' }}
          onDone={() => setAsked(true)}
          label={t`Choose a new password`}
          buttons={(isSending) => <Submit isSending={isSending} words={<Trans>Send link</Trans>} />}
        >
          <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        </ApiForm>
      )}
      <BackToSignIn />
    </Alone>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const { t } = useLingui();
  const [isDone, setDone] = useState(false);
  return (
    <Alone title={t`Choose a new password`}>
      {isDone ? (
        <Done>
          <Trans>Password changed. All your devices were signed out. Sign in with the new password.</Trans>
        </Done>
      ) : (
        <ApiForm
          endpoint={passwordApi.reset}
          initial={{ newPassword: '' }}
          hiddenValues={{ token }}
          onDone={() => setDone(true)}
          label={t`Choose a new password`}
          buttons={(isSending) => <Submit isSending={isSending} words={<Trans>Save password</Trans>} />}
        >
          <PasswordField name="newPassword" autoComplete="new-password" hint={<Trans>Use 8 to 15 characters.</Trans>} />
        </ApiForm>
      )}
      <BackToSignIn />
    </Alone>
  );
}

interface SubmitProps {
  isSending: boolean;
  words: React.ReactNode;
}

export const Submit = ({ isSending, words }: SubmitProps) => (
  <Button type="submit" kind="main" isBusy={isSending} className="sign-in-button">
    {words}
  </Button>
);

export const BackToSignIn = () => (
  <p className="sign-in-help">
    <PageLink to="/login">
      <Trans>Back to Sign In</Trans>
    </PageLink>
  </p>
);

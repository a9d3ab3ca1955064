import { Trans, useLingui } from '@lingui/react/macro';
import { IconDeviceMobile, IconMail, IconUser } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiForm, useApiForm } from '#kit/browser/ApiForm.tsx';
import { Row } from '#kit/browser/choices.tsx';
import { PasswordField, TextField } from '#kit/browser/fields.tsx';
import { said } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/toast.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import {
  codeField,
  type Method,
  type SignInAnswer,
  signInApi,
  signInFields,
  wrongCredentials,
} from '../contract/sign-in.ts';
import { Alone } from './Alone.tsx';
import { forgetMe, keepForDisplay } from './session.ts';

type TypedMethod = Exclude<Method, 'Google'>;

const nothingEntered = { UserName: '', Password: '', EmailID: '', MobileNo: '' };
/** From the success to the shell (specification section 9). */
const redirectDelay = 1500;

/** /login: four ways to sign in. */
export function SignInPage() {
  const { t } = useLingui();
  const [method, setMethod] = useState<TypedMethod>('UserNameNPassword');
  const [remembers, setRemembers] = useState(false);
  const [isIn, setIn] = useState(false);
  const navigate = useNavigate();
  const enter = async (answer: SignInAnswer) => {
    setIn(true);
    forgetMe();
    await keepForDisplay(answer);
    setTimeout(() => void navigate({ to: '/school-erp' }), redirectDelay);
  };
  const methods = [
    { value: 'UserNameNPassword', label: t`Username`, icon: <IconUser size={18} aria-hidden /> },
    { value: 'Email', label: t`E-mail`, icon: <IconMail size={18} aria-hidden /> },
    { value: 'Mobile', label: t`Mobile`, icon: <IconDeviceMobile size={18} aria-hidden /> },
  ] as const;
  return (
    <Alone title={t`Sign In`}>
      {!window.isSecureContext && (
        <p className="notice" role="alert">
          <Trans>
            This page was opened over an unprotected connection, which cannot be used to sign in. Open it with https.
          </Trans>
        </p>
      )}
      <fieldset className="methods" disabled={isIn}>
        <legend className="only-read">
          <Trans>How you sign in</Trans>
        </legend>
        {methods.map(({ value, label, icon }) => (
          <label key={value} className="method">
            <input
              type="radio"
              name="AuthenicateUserBy"
              value={value}
              checked={method === value}
              onChange={() => setMethod(value)}
            />
            <span>
              {icon} {label}
            </span>
          </label>
        ))}
      </fieldset>
      {isIn ? (
        <p role="status" className="notice notice-good">
          <Trans>You are signed in. One moment.</Trans>
        </p>
      ) : (
        // Another method begins with nothing entered, and without the code of the one before.
        <MethodForm key={method} method={method} remembers={remembers} onIn={enter}>
          {method !== 'UserNameNPassword' && (
            <Row
              type="checkbox"
              id="rememberMe"
              label={t`Remember me`}
              checked={remembers}
              onChange={() => setRemembers(!remembers)}
            />
          )}
        </MethodForm>
      )}
      <p className="sign-in-links">
        <Link to="/reset-password">
          <Trans>Forgot your password?</Trans>
        </Link>
        <Link to="/sign-up">
          <Trans>Ask for an account</Trans>
        </Link>
      </p>
      <p className="sign-in-help">
        <Trans>Parents open the admission form with the link the school sent them.</Trans>
      </p>
    </Alone>
  );
}

interface MethodProps {
  method: TypedMethod;
  remembers: boolean;
  children: ReactNode;
  onIn: (answer: SignInAnswer) => Promise<void>;
}

function MethodForm({ method, remembers, onIn, children }: MethodProps) {
  const { t } = useLingui();
  const [isCodeSent, setCodeSent] = useState(false);
  const [alert, setAlert] = useState('');
  const onRefused = useTitleToast();
  const toast = useToast();
  const words = { Email: t`E-mail address`, Mobile: t`Mobile number`, UserNameNPassword: '' }[method];
  const take = async (answer: SignInAnswer) => {
    setAlert('');
    const [first] = answer;
    if (!first) return setAlert(t`Invalid username or password !`);
    if (first.messageVal === wrongCredentials) return toast({ kind: 'error', title: t`Invalid Login!` });
    if (first.userMasterModel.length > 0) return onIn(answer);
    setCodeSent(true);
  };
  return (
    <>
      <Alert text={alert} />
      <ApiForm
        endpoint={signInApi.authenticateUser}
        initial={{ ...nothingEntered, AuthenicateUserBy: method }}
        judgesOnLeave
        onDone={take}
        onRefused={onRefused}
        label={t`Sign In`}
        buttons={(isSending) =>
          isCodeSent ? null : (
            <Buttons
              isSending={isSending}
              isValid={(values) => signInFields[method].safeParse(values).success}
              words={method === 'UserNameNPassword' ? <Trans>Sign In</Trans> : <Trans>Get OTP</Trans>}
            />
          )
        }
      >
        {method === 'UserNameNPassword' && (
          <>
            <TextField name="UserName" autoComplete="username" />
            <PasswordField name="Password" autoComplete="current-password" />
          </>
        )}
        {method === 'Email' && <TextField name="EmailID" label={words} autoComplete="email" inputMode="email" />}
        {method === 'Mobile' && <TextField name="MobileNo" label={words} autoComplete="tel" inputMode="tel" />}
        {children}
      </ApiForm>
      {isCodeSent && <CodeForm remembers={remembers} onIn={onIn} onAgain={() => setCodeSent(false)} />}
    </>
  );
}

/** The code that was sent; a wrong one leaves it standing, to be mended. */
function CodeForm({ onIn, onAgain, remembers }: Pick<MethodProps, 'onIn' | 'remembers'> & { onAgain: () => void }) {
  const { t } = useLingui();
  useEffect(() => document.getElementById('OTP')?.focus(), []);
  const [alert, setAlert] = useState('');
  const onRefused = useTitleToast();
  return (
    <>
      <p role="status" className="notice notice-good">
        <Trans>If this is the address of an account, a code of five signs is on its way. It lasts five minutes.</Trans>
      </p>
      <Alert text={alert} />
      <ApiForm
        endpoint={signInApi.verifyOtp}
        initial={{ OTP: '' }}
        known={{ rememberMe: remembers }}
        judgesOnLeave
        onRefused={onRefused}
        onDone={async (answer) => {
          const [first] = answer;
          if (first?.isSuccess) return onIn(answer);
          setAlert(said(first?.messageVal ?? t`Invalid OTP.`));
        }}
        label={t`One-time code`}
        buttons={(isSending) => (
          <Buttons
            isSending={isSending}
            isValid={({ OTP }) => codeField.safeParse(OTP).success}
            words={<Trans>Sign In</Trans>}
          />
        )}
      >
        <TextField name="OTP" autoComplete="one-time-code" width="short" />
      </ApiForm>
      <button type="button" className="quiet-button" onClick={onAgain}>
        <Trans>Change the address or send another code</Trans>
      </button>
    </>
  );
}

function Alert({ text }: { text: string }) {
  return <div role="alert">{text !== '' && <p className="notice notice-bad">{text}</p>}</div>;
}

/** Says a refusal in a toast, by the title of its body (specification section 8). */
function useTitleToast() {
  const toast = useToast();
  return ({ message }: AppError) => toast({ kind: 'error', title: said(message) });
}

interface ButtonsProps {
  isSending: boolean;
  isValid: (values: Record<string, unknown>) => boolean;
  words: ReactNode;
}

function Buttons({ isSending, isValid, words }: ButtonsProps) {
  const { values } = useApiForm();
  return (
    <button type="submit" className="button button-main sign-in-button" disabled={!isValid(values) || isSending}>
      {words}
    </button>
  );
}

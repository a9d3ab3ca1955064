import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconBrandGoogle, IconDeviceMobile, IconMail, IconUser } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { PasswordField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import { isSame, type Text } from '#kit/contract/text.ts';
import {
  codeField,
  codeSent,
  type Me,
  type SignInAnswer,
  signInApi,
  signInFields,
  wrongCode,
  wrongCredentials,
} from '../contract/sign-in.ts';
import { Alone } from './Alone.tsx';
import {
  forgetMe,
  getMe,
  hasSignedIn,
  isOther,
  keepForDisplay,
  keepMethod,
  lastMethod,
  type TypedMethod,
} from './session.ts';

/** Letter for letter the specification's (section 2). */
const signInTitle = 'Sign In | School ERP System';

const nothingEntered = { UserName: '', Password: '', EmailID: '', MobileNo: '' };
/** The field to correct after a failure, by method. */
const lastField = { UserNameNPassword: 'Password', Email: 'EmailID', Mobile: 'MobileNo' } as const;
/** Milliseconds from the success message to the shell (specification section 9). */
const redirectDelay = 1500;

/** /login: four ways to sign in; a person who is signed in already goes on. */
export function SignInPage() {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const [isAsking, setAsking] = useState(() => hasSignedIn() && !hasGoogleAnswer());
  const [other, setOther] = useState<Me>();
  const goOn = useRef(() => navigate({ to: '/school-erp' }));
  useEffect(() => {
    if (!isAsking) return;
    getMe()
      .then((me) => (isOther(me) ? setOther(me) : goOn.current()))
      .catch(() => undefined) // Nobody is signed in, or the server is away, which the form then says.
      .finally(() => setAsking(false));
  }, [isAsking]);
  return (
    <Alone title={t`Sign In`} windowTitle={signInTitle}>
      {isAsking ? (
        <p role="status">
          <Trans>One moment…</Trans>
        </p>
      ) : other ? (
        <SignedIn
          me={other}
          onAnother={() => {
            setOther(undefined);
            backToTitle(); // The button that had the focus is gone.
          }}
        />
      ) : (
        <SignIn />
      )}
    </Alone>
  );
}

/** Somebody else, or the same person in another role, used this browser last: a choice, so that nobody works in another's name. */
function SignedIn({ me: { name, role }, onAnother }: { me: Me; onAnother: () => void }) {
  return (
    <>
      <p className="sign-in-lead">
        {role === 'Admin' ? <Trans>{name} is signed in as Admin.</Trans> : <Trans>{name} is signed in as Staff.</Trans>}
      </p>
      <ButtonLink to="/school-erp" kind="main" className="sign-in-button">
        <Trans>Continue as {name}</Trans>
      </ButtonLink>
      <Button className="sign-in-button" onClick={onAnother}>
        <Trans>Sign in as another person</Trans>
      </Button>
    </>
  );
}

function SignIn() {
  const { t } = useLingui();
  const [method, setMethod] = useState<TypedMethod>(lastMethod);
  const [remembers, setRemembers] = useState(false);
  const [isIn, setIn] = useState(false);
  const navigate = usePageNavigate();
  const toast = useToast();
  const enter = async (answer: SignInAnswer) => {
    setIn(true);
    forgetMe();
    keepForDisplay(answer, await getMe());
    setTimeout(() => void navigate({ to: '/school-erp' }), redirectDelay);
  };
  return (
    <>
      {!window.isSecureContext && (
        <Notice className="sign-in-notice" role="alert">
          <Trans>This page is not secure (no https), so you can’t sign in. Open it with https.</Trans>
        </Notice>
      )}
      {configuration().hasNoAccount && (
        <Notice className="sign-in-notice">
          <Trans>
            No account yet. Create the first Admin on the server with: <code>npm run create-admin</code>
          </Trans>
        </Notice>
      )}
      <Methods method={method} onChoose={setMethod} isDisabled={isIn} />
      {isIn ? (
        <Notice className="sign-in-notice" role="status" kind="good">
          <Trans>You are signed in. One moment.</Trans>
        </Notice>
      ) : (
        // Another method starts with empty fields and without the previous method's code.
        <MethodForm
          key={method}
          method={method}
          remembers={remembers}
          // The title of the refusal's body (specification section 8).
          tell={(title) => toast({ kind: 'error', title })}
          validatesOnLeave
          onIn={(answer) => {
            keepMethod(method);
            return enter(answer);
          }}
        >
          {method !== 'UserNameNPassword' && (
            <ChoiceRow
              type="checkbox"
              id="rememberMe"
              label={t`Remember me`}
              checked={remembers}
              onChange={() => setRemembers(!remembers)}
            />
          )}
        </MethodForm>
      )}
      {!isIn && configuration().signInProvider && <Provider remembers={remembers} onIn={enter} />}
      <p className="sign-in-links">
        <PageLink to="/reset-password">
          <Trans>Forgot your password?</Trans>
        </PageLink>
        <PageLink to="/sign-up">
          <Trans>Request an account</Trans>
        </PageLink>
      </p>
      <p className="sign-in-help">
        <Trans>Parents: open the admission form with the link from the school.</Trans>
      </p>
    </>
  );
}

interface MethodsProps {
  method: TypedMethod;
  onChoose: (method: TypedMethod) => void;
  isDisabled?: boolean;
  /** The methods this user has; without it, all. */
  among?: readonly TypedMethod[];
}

export function Methods({ method, onChoose, isDisabled, among }: MethodsProps) {
  const { t } = useLingui();
  const methods = [
    { value: 'UserNameNPassword', label: t`Username`, icon: <IconUser size={18} aria-hidden /> },
    { value: 'Email', label: t`Email`, icon: <IconMail size={18} aria-hidden /> },
    { value: 'Mobile', label: t`Mobile`, icon: <IconDeviceMobile size={18} aria-hidden /> },
  ] as const;
  return (
    <fieldset className="methods" disabled={isDisabled}>
      <VisuallyHidden as="legend">
        <Trans>Sign-in method</Trans>
      </VisuallyHidden>
      {methods
        .filter(({ value }) => !among || among.includes(value))
        .map(({ value, label, icon }) => (
          <label key={value} className="method">
            <input
              type="radio"
              name="AuthenicateUserBy"
              value={value}
              checked={method === value}
              onChange={() => onChoose(value)}
            />
            <span>
              {icon} {label}
            </span>
          </label>
        ))}
    </fieldset>
  );
}

interface MethodProps {
  method: TypedMethod;
  remembers: boolean;
  /** The initial values of the fields. */
  entered?: Partial<typeof nothingEntered>;
  /** Shows a refusal in a toast too; absent in a dialog, which would cover the toast. */
  tell?: (title: string) => void;
  validatesOnLeave?: boolean;
  children?: ReactNode;
  onIn: (answer: SignInAnswer) => Promise<void>;
}

/** The form of one method, followed by the form for the code. */
export function MethodForm({ method, remembers, entered, tell, validatesOnLeave, onIn, children }: MethodProps) {
  const { t } = useLingui();
  const [sent, setSent] = useState<Text>();
  const [alert, setAlert] = useState('');
  const take = async (answer: SignInAnswer | null) => {
    const [first] = answer ?? [];
    if (!first) return setAlert(t`Invalid username or password !`);
    if (isSame(first.text, wrongCredentials)) {
      tell?.(t`Invalid Login!`);
      return setAlert(t`Invalid Login!`);
    }
    if (answer && first.userMasterModel.length > 0) return onIn(answer);
    setSent(first.text ?? codeSent);
  };
  return (
    <>
      <ApiForm
        endpoint={signInApi.authenticateUser}
        initial={{ ...nothingEntered, ...entered, AuthenicateUserBy: method }}
        validatesOnLeave={validatesOnLeave}
        onSending={(isSending) => isSending && setAlert('')}
        onDone={take}
        onRefused={({ text }) => tell?.(translate(text))}
        label={t`Sign In`}
        buttons={(isSending) =>
          sent ? null : (
            <>
              <Failure text={alert} field={lastField[method]} isBusy={isSending} />
              <Buttons
                isSending={isSending}
                isValid={(values) => signInFields[method].safeParse(values).success}
                words={method === 'UserNameNPassword' ? <Trans>Sign In</Trans> : <Trans>Get OTP</Trans>}
              />
            </>
          )
        }
      >
        {method === 'UserNameNPassword' && (
          <>
            <TextField name="UserName" autoComplete="username" />
            <PasswordField name="Password" autoComplete="current-password" />
          </>
        )}
        {method === 'Email' && (
          <TextField name="EmailID" label={msg`Email address`} autoComplete="email" inputMode="email" />
        )}
        {method === 'Mobile' && (
          <TextField name="MobileNo" label={msg`Mobile number`} autoComplete="tel" inputMode="tel" />
        )}
        {children}
      </ApiForm>
      {sent && (
        <CodeForm
          sent={sent}
          remembers={remembers}
          tell={tell}
          onIn={onIn}
          onAgain={() => {
            setSent(undefined);
            focusOn(lastField[method]); // The button that had the focus is gone.
          }}
        />
      )}
    </>
  );
}

interface CodeProps extends Pick<MethodProps, 'onIn' | 'remembers' | 'tell'> {
  /** The server's words about the code. */
  sent: Text;
  onAgain: () => void;
}

/** Asks for the code that was sent; a wrong one stays in the box to be corrected. */
function CodeForm({ sent, onIn, onAgain, remembers, tell }: CodeProps) {
  const { t } = useLingui();
  const [alert, setAlert] = useState('');
  return (
    <>
      <Notice className="sign-in-notice" role="status" kind="good">
        {translate(sent)}
      </Notice>
      <ApiForm
        endpoint={signInApi.verifyOtp}
        initial={{ OTP: '' }}
        hiddenValues={{ rememberMe: remembers }}
        validatesOnLeave
        onSending={(isSending) => isSending && setAlert('')}
        onRefused={({ text }) => tell?.(translate(text))}
        onDone={async (answer) => {
          const [first] = answer;
          if (first?.isSuccess) return onIn(answer);
          setAlert(translate(first?.text ?? wrongCode));
        }}
        label={t`One-time code`}
        buttons={(isSending) => (
          <>
            <Failure text={alert} field="OTP" isBusy={isSending} />
            <Buttons
              isSending={isSending}
              isValid={({ OTP }) => codeField.safeParse(OTP).success}
              words={<Trans>Sign In</Trans>}
            />
          </>
        )}
      >
        <TextField name="OTP" autoComplete="one-time-code" width="short" takesFocus />
      </ApiForm>
      <Button kind="quiet" edge="start" className="sign-in-other" onClick={onAgain}>
        {isSame(sent, codeSent) ? (
          <Trans>Use another email or mobile number, or get a new code</Trans>
        ) : (
          <Trans>Send a new code</Trans>
        )}
      </Button>
    </>
  );
}

/** Signs in with the provider: the redirect back has an answer in the address, which the server checks. */
function Provider({ remembers, onIn }: Pick<MethodProps, 'onIn' | 'remembers'>) {
  const { t } = useLingui();
  const [alert, setAlert] = useState('');
  const [isLeaving, setLeaving] = useState(false);
  const { signInProvider: provider } = configuration();
  const onRefused = ({ text }: AppError) => setAlert(translate(text));
  const start = useAction(signInApi.startGoogle, { onRefused });
  const finish = useAction(signInApi.authenticateUser, { onRefused });
  const isUnderWay = start.isBusy || finish.isBusy || isLeaving;
  const go = async () => {
    const answer = await start.run({ rememberMe: remembers });
    if (!answer) return;
    setLeaving(true);
    window.location.assign(answer.address);
  };
  const comeBack = async (GoogleAnswer: string) => {
    const draft = { ...nothingEntered, AuthenicateUserBy: 'Google', GoogleAnswer, rememberMe: false } as const;
    const answer = await finish.run(draft);
    if (answer) return onIn(answer);
    if (answer === null)
      setAlert(t`Could not sign in with ${provider}. Use your school email address, or another way to sign in.`);
  };
  // The answer may be read from the address only once.
  useEffect(() => {
    const answer = takeGoogleAnswer();
    if (answer) void comeBack(answer);
  });
  return (
    <div className="sign-in-google">
      <Failure text={alert} isBusy={isUnderWay} />
      <Button className="sign-in-button" disabled={isUnderWay} onClick={go}>
        {provider === 'Google' && <IconBrandGoogle size={18} aria-hidden />}
        {isUnderWay ? <Trans>Signing in with {provider}…</Trans> : <Trans>Sign in with {provider}</Trans>}
      </Button>
    </div>
  );
}

function hasGoogleAnswer(): boolean {
  const names = new URLSearchParams(window.location.search);
  return names.has('state') && (names.has('code') || names.has('error'));
}

/** Google's answer in the address; removed immediately, so that it stays out of the history. */
function takeGoogleAnswer(): string {
  if (!hasGoogleAnswer()) return '';
  const { search, pathname } = window.location;
  window.history.replaceState(window.history.state, '', pathname);
  return search.slice(1);
}

interface FailureProps {
  text: string;
  /** The field that is most likely wrong. */
  field?: string;
  /** An answer is on its way: fields can't take the focus until then. */
  isBusy: boolean;
}

/** Why the sign-in failed, above the button. The field to correct takes the focus; without one, the words do. */
function Failure({ text, field = '', isBusy }: FailureProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text === '' || isBusy) return;
    const control = place.current?.closest('form')?.elements.namedItem(field);
    if (!(control instanceof HTMLInputElement)) return place.current?.focus();
    control.focus();
    control.select();
  }, [text, field, isBusy]);
  return (
    <div role="alert" ref={place} tabIndex={-1}>
      {text !== '' && (
        <Notice className="sign-in-notice" kind="bad">
          {text}
        </Notice>
      )}
    </div>
  );
}

interface ButtonsProps {
  isSending: boolean;
  isValid: (values: Record<string, unknown>) => boolean;
  words: ReactNode;
}

function Buttons({ isSending, isValid, words }: ButtonsProps) {
  const { values } = useApiForm();
  return (
    <Button type="submit" kind="main" className="sign-in-button" isBusy={isSending} disabled={!isValid(values)}>
      {words}
    </Button>
  );
}

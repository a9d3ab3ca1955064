import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { errorMessage } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { readBackgroundAgain } from '#kit/browser/data/read.ts';
import { onRefusal } from '#kit/browser/data/refusals.ts';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button, ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { Dialog, DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { type Me, type SignInAnswer, signInApi } from '../contract/sign-in.ts';
import { MethodForm, Methods } from './SignInPage.tsx';
import { forgetMe, isOther, isSignedOut, keepForDisplay, type TypedMethod } from './session.ts';

/** The dialog has its own operation, so that its request does not wait for the dialog itself. */
const whoNow = { ...signInApi.me };

interface Props {
  me: Me;
  /** Another person has signed in: nothing of this person's page may be shown or sent. */
  onOther: () => void;
  onLeave: () => void;
}

/** Why the dialog is open: the session has ended, or an act of Staff needs a newer proof of identity. */
type Reason = 'signed_out' | 'sign_in_again';
const reasons: readonly string[] = ['signed_out', 'sign_in_again'] satisfies Reason[];

interface Waiting {
  goOn: () => void;
  giveUp: () => void;
}

/**
 * Opens over the page when a request is refused until the person signs in again. Such requests wait, and are sent again
 * once the same person has, here or in another tab.
 */
export function SignInAgain({ me, onOther, onLeave }: Props) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = useRef<Waiting[]>([]);
  const [reason, setReason] = useState<Reason>();
  const isOpen = reason !== undefined;
  const isOut = reason === 'signed_out';
  const [isLeaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState('');
  const id = useId();

  useEffect(() => {
    onRefusal((refusal, operation) => {
      if (!reasons.includes(refusal.code) || operation === whoNow || operation.isBackground)
        return Promise.reject(refusal);
      setReason((before) => (before === 'signed_out' ? before : (refusal.code as Reason)));
      return new Promise<void>((goOn, giveUp) => waiting.current.push({ goOn, giveUp: () => giveUp(refusal) }));
    });
    return () => onRefusal();
  }, []);

  /** Continues if the same person is signed in again. Throws `signed_out`. */
  const goOn = async (answer?: SignInAnswer) => {
    const now = await get(whoNow, {});
    const isSame = now.userID === me.userID && now.role === me.role;
    if (!isSame) forgetMe();
    if (answer) keepForDisplay(answer, now);
    if (!isSame) return onOther();
    dialog.current?.close();
    for (const { goOn: send } of waiting.current.splice(0)) send();
    void readBackgroundAgain();
  };
  /** Without a session nothing on the page works; else the acts that wait are refused, and the page stays. */
  const leave = () => {
    if (isOut) return setLeaving(true);
    dialog.current?.close();
    for (const { giveUp } of waiting.current.splice(0)) giveUp();
  };
  const look = useRef(goOn);
  look.current = goOn;

  useEffect(() => {
    const changed = () => isOther(me) && onOther();
    window.addEventListener('storage', changed);
    return () => window.removeEventListener('storage', changed);
  }, [me, onOther]);

  useEffect(() => {
    if (!isOpen) return;
    setProblem('');
    setLeaving(false);
    dialog.current?.showModal();
    (dialog.current?.querySelector<HTMLElement>('[type=password]') ?? dialog.current?.querySelector('input'))?.focus();
  }, [isOpen]);

  useEffect(() => {
    if (!isOut) return;
    // The person may have signed in in another tab.
    const back = () => look.current().catch(() => undefined);
    window.addEventListener('focus', back);
    return () => window.removeEventListener('focus', back);
  }, [isOut]);

  const tryAgain = () =>
    goOn().catch((error: unknown) =>
      setProblem(isSignedOut(error) ? t`You are not signed in yet.` : errorMessage(error)),
    );
  if (!isOpen) return null;
  return (
    <>
      <Dialog
        ref={dialog}
        className="sign-in-again"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-about`}
        onClose={() => setReason(undefined)}
        onKeyDown={(event) => {
          // Chromium lets a second Escape close what refused the first.
          if (event.key !== 'Escape') return;
          event.preventDefault();
          leave();
        }}
        onCancel={(event) => {
          event.preventDefault();
          leave();
        }}
      >
        <h2 id={`${id}-title`}>
          {isOut ? <Trans>You have been signed out</Trans> : <Trans>Confirm that it is you</Trans>}
        </h2>
        <p id={`${id}-about`}>
          {!isOut && <Trans>Your last sign-in was over 10 minutes ago.</Trans>}{' '}
          <Trans>Sign in again to continue. Your entries are still here.</Trans>
        </p>
        <div data-problems />
        {me.role === 'Admin' ? (
          <MethodForm method="UserNameNPassword" remembers={false} entered={{ UserName: me.userName }} onIn={goOn} />
        ) : (
          <StaffWays me={me} onIn={goOn} />
        )}
        <p role="alert" className="error attempt">
          {problem}
        </p>
        <p className="soft">
          <Trans>Signed in again in another tab?</Trans>{' '}
          <Button kind="link" onClick={() => void tryAgain()}>
            <Trans>Try again</Trans>
          </Button>
        </p>
        <p className="soft">
          <Trans>If another person signs in, this page closes and your entries are lost.</Trans>
        </p>
        <DialogButtons>
          <Button onClick={leave}>{isOut ? <Trans>Leave this page</Trans> : <Trans>Cancel</Trans>}</Button>
        </DialogButtons>
      </Dialog>
      {isLeaving && (
        <AskDialog
          title={t`Leave without signing in?`}
          confirm={<Trans>Leave this page</Trans>}
          cancel={<Trans>Stay on this page</Trans>}
          isBad
          onConfirm={async () => onLeave()}
          onClose={() => setLeaving(false)}
        >
          <Trans>Your entries on this page will be lost.</Trans>
        </AskDialog>
      )}
    </>
  );
}

/** By a code to this person's address or number, or with the provider in another tab, where it is set up. */
function StaffWays({ me, onIn }: { me: Me; onIn: (answer: SignInAnswer) => Promise<void> }) {
  const { t } = useLingui();
  const among = ([me.email && 'Email', me.mobile && 'Mobile'] as const).filter(Boolean) as TypedMethod[];
  const [method, setMethod] = useState<TypedMethod>(among[0] ?? 'Email');
  const [remembers, setRemembers] = useState(false);
  const { signInProvider: provider } = configuration();
  return (
    <>
      {among.length > 1 && <Methods method={method} onChoose={setMethod} among={among} />}
      <MethodForm
        key={method}
        method={method}
        remembers={remembers}
        entered={{ EmailID: me.email, MobileNo: me.mobile }}
        onIn={onIn}
      >
        <ChoiceRow
          type="checkbox"
          id="rememberMe"
          label={t`Remember me`}
          checked={remembers}
          onChange={() => setRemembers(!remembers)}
        />
      </MethodForm>
      {provider && (
        <div className="sign-in-google">
          <ButtonAnchor className="sign-in-button" href="/login" target="_blank" rel="noreferrer">
            <Trans>Sign in with {provider} in another tab</Trans>
          </ButtonAnchor>
        </div>
      )}
    </>
  );
}

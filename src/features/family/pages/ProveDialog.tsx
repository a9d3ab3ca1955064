import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { type FamilyPageData, familyApi } from '../contract/family.ts';
import '../ui/more-texts.ts';
import styles from './FamilyPage.module.css';

interface Props {
  proof: FamilyPageData['proof'];
  onClose: (isProven: boolean) => void;
}

/** Asks for a code that is sent to the guardian's stored number or address, once on each phone. */
export function ProveDialog({ proof: { way, to }, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isProven = useRef(false);
  const [typed, setTyped] = useState('');
  const [isSent, setSent] = useState(false);
  const code = useAction(familyApi.code);
  const prove = useAction(familyApi.prove);
  useEffect(() => dialog.current?.showModal(), []);
  const send = async () => {
    if (await code.run({})) setSent(true);
  };
  const confirm = async () => {
    if (!(await prove.run({ code: typed }))) return;
    isProven.current = true;
    dialog.current?.close();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="prove-title"
      onClose={() => onClose(isProven.current)}
    >
      <h2 id="prove-title">
        <Trans>Is it you?</Trans>
      </h2>
      <p>
        {way === 'SMS' && <Trans>Once on each phone we send a code to your mobile number, which ends with {to}.</Trans>}
        {way === 'Email' && <Trans>Once on each phone we send a code to your email address, {to}.</Trans>}
        {way === 'None' && <Trans>The school can’t send you a code. Call the school.</Trans>}
      </p>
      {way !== 'None' && (
        <button type="button" className={styles.quiet} aria-disabled={code.isBusy} onClick={() => void send()}>
          {isSent ? <Trans>Send another code</Trans> : <Trans>Send the code</Trans>}
        </button>
      )}
      {isSent && (
        <p role="status">
          <Trans>The code was sent. It works for 10 minutes.</Trans>
        </p>
      )}
      {code.problem}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <label>
          <Trans>Code</Trans>
          <input
            required
            maxLength={20}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {prove.problem}
        <div className={styles.row}>
          <button type="button" className={styles.quiet} onClick={() => dialog.current?.close()}>
            <Trans>Cancel</Trans>
          </button>
          <button type="submit" className={styles.button} aria-disabled={prove.isBusy}>
            <Trans>Confirm</Trans>
          </button>
        </div>
      </form>
    </dialog>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import type { Text } from '#kit/contract/text.ts';
import { siblingApi } from '../contract/sibling.ts';
import type { SiblingOffer } from '../contract/sibling-offer.ts';
import styles from './SiblingNotice.module.css';
import './end-texts.ts';

/** Offers to fill in the family's details from a brother's or sister's form; afterwards it asks to check them. */
export function SiblingNotice({ offer }: { offer: SiblingOffer }) {
  const { t } = useLingui();
  const { firstName, grade, receivers, isUsed } = offer;
  const [sent, setSent] = useState<Text>();
  const code = useAction(siblingApi.sendCode);
  if (isUsed)
    return (
      <Notice role="status" kind="good">
        <Trans>The family details are filled in from {firstName}’s form. Check every answer before you save.</Trans>
      </Notice>
    );
  const send = async (parent: (typeof receivers)[number]['parent']) => {
    const answer = await code.run({ parent });
    if (answer?.text) setSent(answer.text);
  };
  return (
    <Notice as="section" aria-labelledby="sibling">
      <h2 id="sibling" className={styles.title}>
        <Trans>
          Use the family details we hold for {firstName} ({grade})?
        </Trans>
      </h2>
      <p>
        <Trans>
          We fill in parents, guardian and addresses from that form. To protect them, we first send a code to a parent’s
          mobile number.
        </Trans>
      </p>
      <div className={styles.receivers}>
        {receivers.map(({ parent, mobile }) => (
          <Button key={parent} isBusy={code.isBusy} onClick={() => void send(parent)}>
            {parent === 'Father' ? (
              <Trans>Send a code to the father, {mobile}</Trans>
            ) : (
              <Trans>Send a code to the mother, {mobile}</Trans>
            )}
          </Button>
        ))}
      </div>
      {code.problem}
      <p role="status">{sent && translate(sent)}</p>
      {sent && (
        <ApiForm
          endpoint={siblingApi.useDetails}
          label={t`Code`}
          initial={{ code: '' }}
          isShort
          onDone={() => window.location.reload()}
          buttons={(isSending) => (
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Fill in the details</Trans>
            </Button>
          )}
        >
          <TextField name="code" autoComplete="one-time-code" width="short" takesFocus />
        </ApiForm>
      )}
    </Notice>
  );
}

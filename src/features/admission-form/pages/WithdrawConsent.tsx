import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate } from '#kit/browser/text.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { consentApi } from '../contract/consent.ts';
import { useFormEnd } from './use-form-end.ts';
import './consent-texts.ts';

/** Withdraws the consent after a question, and closes the form. */
export function WithdrawConsent() {
  const { t } = useLingui();
  const toast = useToast();
  const { leave } = useFormEnd();
  const { run } = useAction(consentApi.withdraw, {
    onRefused: ({ text }) => toast({ kind: 'warning', title: translate(text) }),
  });
  const withdraw = async () => {
    const answer = await run({});
    if (!answer) return;
    await forgetAllLocally('all');
    if (answer.text) toast({ kind: 'success', title: translate(answer.text) });
    await leave();
  };
  return (
    <ConfirmButton
      edge="start"
      name={t`Withdraw consent`}
      label={<Trans>Withdraw consent</Trans>}
      question={<Trans>Withdraw your consent and close the form?</Trans>}
      confirm={<Trans>Withdraw</Trans>}
      onConfirm={withdraw}
    />
  );
}

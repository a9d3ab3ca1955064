import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate } from '#kit/browser/text.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { consentApi } from '../contract/consent.ts';
import { useFormEnd } from './use-form-end.ts';

export function YourConsent() {
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
    <details className="instructions">
      <summary>
        <Trans>Your consent</Trans>
      </summary>
      <p>
        <Trans>
          You agreed that the school may use your answers for this application. You can withdraw at any time. The form
          will close and we will ask the school to erase your answers.
        </Trans>
      </p>
      <ConfirmButton
        edge="start"
        name={t`Withdraw consent`}
        label={<Trans>Withdraw consent</Trans>}
        question={<Trans>Withdraw your consent and close the form?</Trans>}
        confirm={<Trans>Withdraw</Trans>}
        onConfirm={withdraw}
      />
    </details>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate } from '#kit/browser/text.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { consentApi } from '../contract/consent.ts';
import { useFormEnd } from './use-form-end.ts';

/** Takes consent back, as easily as it was given. */
export function YourConsent() {
  const { t } = useLingui();
  const toast = useToast();
  const { leave } = useFormEnd();
  const { run } = useAction(consentApi.withdraw, {
    onRefused: ({ message }) => toast({ kind: 'warning', title: translate(message) }),
  });
  const withdraw = async () => {
    const answer = await run({});
    if (!answer) return;
    await forgetAllLocally('all');
    toast({ kind: 'success', title: translate(answer.message) });
    await leave();
  };
  return (
    <details className="instructions">
      <summary>
        <Trans>Your consent</Trans>
      </summary>
      <p>
        <Trans>
          You agreed that the school uses these answers for this application. You can take that back at any time; the
          form then closes, and the school is told to erase what you saved.
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

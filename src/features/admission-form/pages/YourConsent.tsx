import { Trans, useLingui } from '@lingui/react/macro';
import { call } from '#kit/browser/data/call.ts';
import { forgetAllLocally } from '#kit/browser/form/local-copy.ts';
import { translate } from '#kit/browser/text.ts';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { consentApi } from '../contract/consent.ts';
import { useFormEnd } from './use-form-end.ts';

/** Takes consent back, as easily as it was given. */
export function YourConsent() {
  const { t } = useLingui();
  const toast = useToast();
  const { leave } = useFormEnd();
  const withdraw = async () => {
    try {
      const { message } = await call(consentApi.withdraw, {}, { key: crypto.randomUUID() });
      await forgetAllLocally('all');
      toast({ kind: 'success', title: translate(message) });
      await leave();
    } catch (error) {
      toast({ kind: 'warning', title: translate(error instanceof AppError ? error.message : unexpectedMessage) });
    }
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
        name={t`Withdraw consent`}
        label={<Trans>Withdraw consent</Trans>}
        question={<Trans>Withdraw your consent and close the form?</Trans>}
        confirm={<Trans>Withdraw</Trans>}
        onConfirm={() => void withdraw()}
      />
    </details>
  );
}

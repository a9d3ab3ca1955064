import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { contactApi } from '#features/sign-in/contract/contact.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons, FormDialog } from '#kit/browser/form/FormDialog.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';

type Channel = 'email' | 'mobile';

/** Changes one's own e-mail address or mobile number: a code goes to the new one, and counts once it was typed. */
export function ChangeContact({ channel, isSet }: { channel: Channel; isSet: boolean }) {
  const { t } = useLingui();
  const titles = { email: t`Change your e-mail address`, mobile: t`Change your mobile number` };
  return (
    <FormDialog title={titles[channel]} label={isSet ? <Trans>Change</Trans> : <Trans>Add</Trans>}>
      {(close) => <Steps channel={channel} label={titles[channel]} close={close} />}
    </FormDialog>
  );
}

interface StepsProps {
  channel: Channel;
  label: string;
  close: () => void;
}

function Steps({ channel, label, close }: StepsProps) {
  const [isSent, setSent] = useState(false);
  if (isSent) return <TypeCode channel={channel} label={label} close={close} />;
  const common = {
    label,
    onDone: () => setSent(true),
    buttons: (isSending: boolean) => (
      <FormButtons isSending={isSending} close={close} words={<Trans>Send a code</Trans>} />
    ),
  };
  return channel === 'email' ? (
    <ApiForm endpoint={contactApi.sendEmailCode} initial={{ email: '' }} {...common}>
      <TextField name="email" type="email" inputMode="email" autoComplete="email" />
    </ApiForm>
  ) : (
    <ApiForm endpoint={contactApi.sendMobileCode} initial={{ mobile: '' }} {...common}>
      <TextField name="mobile" type="tel" inputMode="tel" autoComplete="tel" />
    </ApiForm>
  );
}

function TypeCode({ channel, label, close }: StepsProps) {
  const { t } = useLingui();
  const toast = useToast();
  const saved = { email: t`Your e-mail address is changed.`, mobile: t`Your mobile number is changed.` };
  return (
    <ApiForm
      endpoint={contactApi.save}
      initial={{ OTP: '' }}
      onDone={() => {
        close();
        toast({ kind: 'success', title: saved[channel], text: t`You sign in with the new one from now on.` });
      }}
      label={label}
      buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />}
    >
      <TextField
        name="OTP"
        label={t`Code`}
        autoComplete="one-time-code"
        takesFocus
        hint={<Trans>It was sent to the new one, and can be used within 5 minutes.</Trans>}
      />
    </ApiForm>
  );
}

import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons, FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { contactApi } from '../contract/contact.ts';

type Channel = 'email' | 'mobile';

/** Changes one's own email address or mobile number, confirmed by a code sent to the new one. */
export function ChangeContact({ channel, isSet }: { channel: Channel; isSet: boolean }) {
  const { t } = useLingui();
  const titles = isSet
    ? { email: t`Edit email address`, mobile: t`Edit mobile number` }
    : { email: t`Add email address`, mobile: t`Add mobile number` };
  return (
    <FormOpener title={titles[channel]} label={isSet ? <Trans>Edit</Trans> : <Trans>Add</Trans>}>
      {(onClose) => (
        <SideDialog title={titles[channel]} onClose={onClose}>
          {(close) => <Steps channel={channel} label={titles[channel]} close={close} />}
        </SideDialog>
      )}
    </FormOpener>
  );
}

interface StepsProps {
  channel: Channel;
  label: string;
  close: () => void;
}

function Steps({ channel, label, close }: StepsProps) {
  const [isSent, setSent] = useState(false);
  if (isSent) return <TypeCode label={label} close={close} />;
  const common = {
    label,
    onDone: () => setSent(true),
    buttons: (isSending: boolean) => (
      <FormButtons isSending={isSending} close={close} words={<Trans>Send code</Trans>} />
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

function TypeCode({ label, close }: Pick<StepsProps, 'label' | 'close'>) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <ApiForm
      endpoint={contactApi.save}
      initial={{ OTP: '' }}
      onDone={() => {
        close();
        toast({ kind: 'success', title: t`Saved.`, text: t`Use it to sign in from now on.` });
      }}
      label={label}
      buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />}
    >
      <TextField
        name="OTP"
        label={msg`Code`}
        autoComplete="one-time-code"
        takesFocus
        hint={<Trans>Enter the 5-character code we sent. It expires in 5 minutes.</Trans>}
      />
    </ApiForm>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { PaletteField } from '#kit/browser/form/PaletteField.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { Cards, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { noPicture, profileApi } from '../contract/profile.ts';
import { readConfiguration, useConfiguration } from '../ui/configuration.ts';
import { SchoolForm } from './SchoolForm.tsx';

export function SchoolTab() {
  const profile = useRead(profileApi.profile, {});
  return (
    <QueryBoundary query={profile}>
      {(values) => (
        <Cards>
          <Profile values={values} />
          <div>
            <Logo />
            <Signature />
          </div>
        </Cards>
      )}
    </QueryBoundary>
  );
}

function Profile({ values }: { values: OutputOf<typeof profileApi.profile> }) {
  const { t } = useLingui();
  return (
    <SchoolForm
      endpoint={profileApi.saveProfile}
      values={values}
      title={t`School profile`}
      successText={t`Reload other open pages to see the change.`}
    >
      <TextField name="name" />
      <TextField name="nameLocal" hint={t`In Gujarati or Hindi, on certificates in that language.`} />
      <TextField name="trustName" />
      <TextField name="udiseCode" width="medium" inputMode="numeric" hint={t`11 digits, as on the UDISE+ portal.`} />
      <TextField name="affiliationNo" />
      <TextField name="address" long />
      <TextField name="addressLocal" long hint={t`With the city, as the head of a certificate has it.`} />
      <TextField name="city" width="medium" />
      <TextField name="phone" width="medium" />
      <TextField name="email" />
      <TextField name="website" />
      <TextField name="principal" />
      <TextField name="hours" hint={t`Shown to parents beside the phone number.`} />
      <TextField name="hospitalText" long hint={t`Parents agree to this in step 4, Contacts, of the admission form.`} />
      <PaletteField name="colour" hint={t`The colour of the sign-in pages.`} />
      <TextField name="financialYearMonth" width="short" inputMode="numeric" hint={t`For example 4 for April.`} />
    </SchoolForm>
  );
}

function Logo() {
  const { t } = useLingui();
  const toast = useToast();
  const { logoPath } = useConfiguration();
  const done = () => {
    void readConfiguration();
    toast({
      kind: 'success',
      title: t`Saved.`,
      of: t`Logo`,
      text: t`Reload other open pages to see the change.`,
    });
  };
  return (
    <RecordCard title={<Trans>Logo</Trans>}>
      <PictureForm
        name="logo"
        endpoint={profileApi.saveLogo}
        label={t`Logo`}
        save={<Trans>Save logo</Trans>}
        onDone={done}
      >
        <UploadField name="logo" hint={<Trans>PNG or JPG, at most 2 MB.</Trans>} stored={logoPath ?? undefined} />
      </PictureForm>
    </RecordCard>
  );
}

function Signature() {
  const { t } = useLingui();
  const toast = useToast();
  const paper = useRead(profileApi.paper, {});
  const remove = useAction(profileApi.removeSignature);
  // The pressed button is gone once the signature is removed, so the card takes the focus.
  const card = useRef<HTMLElement>(null);
  const done = (title: string) => {
    toast({ kind: 'success', title, of: t`Principal’s signature` });
    return paper.refetch();
  };
  // A new signature has the same address, so the time keeps the old one from being shown.
  const stored = paper.data?.hasSignature ? `/api${profileApi.signature.path}?read=${paper.dataUpdatedAt}` : undefined;
  return (
    <RecordCard ref={card} title={<Trans>Principal’s signature</Trans>}>
      <QueryBoundary query={paper}>
        {() => (
          <PictureForm
            name="signature"
            endpoint={profileApi.saveSignature}
            label={t`Principal’s signature`}
            save={<Trans>Save signature</Trans>}
            onDone={() => void done(t`Saved.`)}
            besideSave={
              stored && (
                <ConfirmButton
                  name={t`Remove principal’s signature`}
                  label={<Trans>Remove</Trans>}
                  question={
                    <Trans>New documents will have a blank signature line. Issued documents keep the signature.</Trans>
                  }
                  confirm={<Trans>Remove</Trans>}
                  onConfirm={async () => {
                    if (!(await remove.run({}))) return;
                    await done(t`Removed.`);
                    card.current?.focus();
                  }}
                />
              )
            }
          >
            <UploadField name="signature" hint={<Trans>PNG or JPG, at most 2 MB.</Trans>} stored={stored} />
          </PictureForm>
        )}
      </QueryBoundary>
      {remove.problem}
    </RecordCard>
  );
}

interface PictureProps {
  name: string;
  endpoint: typeof profileApi.saveLogo | typeof profileApi.saveSignature;
  label: string;
  save: ReactNode;
  besideSave?: ReactNode;
  onDone: () => void;
  children: ReactNode;
}

function PictureForm({ name, endpoint, label, save, besideSave, onDone, children }: PictureProps) {
  return (
    <ApiForm
      endpoint={endpoint}
      initial={{}}
      resetsAfterSend
      validate={(_, files): FieldErrors => (files[name] ? {} : { [name]: noPicture })}
      onDone={onDone}
      label={label}
      buttons={(isSending) => (
        <>
          <UploadStatus />
          <Button type="submit" isBusy={isSending}>
            {save}
          </Button>
          {besideSave}
        </>
      )}
    >
      {children}
    </ApiForm>
  );
}

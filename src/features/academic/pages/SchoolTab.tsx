import { Trans, useLingui } from '@lingui/react/macro';
import { ApiForm } from '#kit/browser/ApiForm.tsx';
import { configuration } from '#kit/browser/configuration.ts';
import { TextField } from '#kit/browser/fields.tsx';
import { Reading } from '#kit/browser/Reading.tsx';
import { useRead } from '#kit/browser/read.ts';
import { useToast } from '#kit/browser/toast.tsx';
import { UploadField } from '#kit/browser/UploadField.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { profileApi } from '../contract/profile.ts';
import { SchoolForm } from './SchoolForm.tsx';

/** What the school says of itself: on the form, in messages, and on paper. */
export function SchoolTab() {
  const profile = useRead(profileApi.profile, {});
  return (
    <Reading query={profile}>
      {(values) => (
        <div className="sheets">
          <Profile values={values} />
          <Logo />
        </div>
      )}
    </Reading>
  );
}

function Profile({ values }: { values: OutputOf<typeof profileApi.profile> }) {
  const { t } = useLingui();
  return (
    <SchoolForm
      endpoint={profileApi.saveProfile}
      values={values}
      title={t`School profile`}
      told={t`Pages that are open show it once they are opened again.`}
    >
      <TextField name="name" />
      <TextField name="trustName" />
      <TextField name="udiseCode" width="medium" inputMode="numeric" hint={t`11 digits, as on the UDISE+ portal.`} />
      <TextField name="affiliationNo" />
      <TextField name="address" long />
      <TextField name="city" width="medium" />
      <TextField name="phone" width="medium" />
      <TextField name="email" />
      <TextField name="website" />
      <TextField name="principal" />
      <TextField name="hours" hint={t`Parents read it where they are asked to call.`} />
      <TextField name="hospitalText" long hint={t`Parents agree to it on the health page of the form.`} />
      <TextField name="financialYearMonth" width="short" inputMode="numeric" hint={t`4 is April.`} />
    </SchoolForm>
  );
}

function Logo() {
  const { t } = useLingui();
  const toast = useToast();
  const { logoPath } = configuration();
  return (
    <section className="sheet">
      <h2>
        <Trans>Logo</Trans>
      </h2>
      <ApiForm
        endpoint={profileApi.saveLogo}
        initial={{}}
        startsAnew
        judge={(_, files): FieldErrors => (files.logo ? {} : { logo: t`Choose a picture first.` })}
        onDone={() => {
          toast({
            kind: 'success',
            title: t`The logo is saved.`,
            text: t`Pages that are open show it once they are opened again.`,
          });
        }}
        label={t`Logo`}
        buttons={(isSending) => (
          <button type="submit" className="button" aria-disabled={isSending}>
            <Trans>Save the logo</Trans>
          </button>
        )}
      >
        <UploadField name="logo" hint={<Trans>PNG or JPG, at most 2 MB</Trans>} stored={logoPath ?? undefined} />
      </ApiForm>
    </section>
  );
}

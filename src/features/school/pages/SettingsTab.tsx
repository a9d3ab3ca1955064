import { useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { TickRow } from '#kit/browser/master/MasterField.tsx';
import { profileApi } from '../contract/profile.ts';
import { SchoolForm } from './SchoolForm.tsx';

export function SettingsTab() {
  const { t } = useLingui();
  const settings = useRead(profileApi.settings, {});
  return (
    <QueryBoundary query={settings}>
      {(values) => (
        <SchoolForm endpoint={profileApi.saveSettings} values={values} title={t`Settings`}>
          <TextField
            name="linkDays"
            width="short"
            inputMode="numeric"
            hint={t`Each save restarts the count. Default: 60.`}
          />
          <TickRow
            name="asksConsent"
            hint={t`Default: on. Parents are not asked if the office has recorded their consent.`}
          />
          <TickRow
            name="asksAdminCode"
            hint={t`Default: on, once an email or text message has been delivered. Admins enter a code every 30 days on each device.`}
          />
        </SchoolForm>
      )}
    </QueryBoundary>
  );
}

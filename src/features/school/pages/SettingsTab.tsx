import { useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { TickRow } from '#kit/browser/master/MasterField.tsx';
import { profileApi } from '../contract/profile.ts';
import { SchoolForm } from './SchoolForm.tsx';

/** What the school may choose of how the system works. */
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
            hint={t`Every save of a parent begins them anew. Usually 60.`}
          />
          <TickRow
            name="asksConsent"
            hint={t`Usually on. Families whose consent the office has recorded are not asked again.`}
          />
          <TickRow
            name="asksAdminCode"
            hint={t`Usually on. It starts once an email or text message has been delivered, and asks once in 30 days on each device.`}
          />
          <TickRow name="showsDashboardWords" hint={t`Usually off.`} />
        </SchoolForm>
      )}
    </QueryBoundary>
  );
}

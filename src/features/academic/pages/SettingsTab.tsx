import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { ApiForm, type Values } from '#kit/browser/ApiForm.tsx';
import { TextField } from '#kit/browser/fields.tsx';
import { TickRow } from '#kit/browser/master/MasterField.tsx';
import { Reading } from '#kit/browser/Reading.tsx';
import { useRead } from '#kit/browser/read.ts';
import { useToast } from '#kit/browser/toast.tsx';
import { profileApi } from '../contract/profile.ts';

/** What the school may choose of how the system works. */
export function SettingsTab() {
  const settings = useRead(profileApi.settings, {});
  return <Reading query={settings}>{(values) => <Settings key={values.rowVersion} values={values} />}</Reading>;
}

function Settings({ values: { rowVersion, ...values } }: { values: Values }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const toast = useToast();
  return (
    <section className="sheet">
      <h2>
        <Trans>Settings</Trans>
      </h2>
      <ApiForm
        endpoint={profileApi.saveSettings}
        initial={{ ...values, linkDays: String(values.linkDays) }}
        known={{ rowVersion }}
        label={t`Settings`}
        onDone={async () => {
          toast({ kind: 'success', title: t`Saved.` });
          await client.invalidateQueries({ queryKey: ['academic'] });
        }}
        buttons={(isSending) => (
          <button type="submit" className="button button-main" aria-disabled={isSending}>
            <Trans>Save</Trans>
          </button>
        )}
      >
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
        <TickRow name="asksAdminCode" hint={t`Usually off. Every Admin needs an e-mail address that can be read.`} />
        <TickRow name="showsDashboardWords" hint={t`Usually off.`} />
      </ApiForm>
    </section>
  );
}

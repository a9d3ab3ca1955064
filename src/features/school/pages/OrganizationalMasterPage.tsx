import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { organizationalMasters } from '../contract/masters.ts';
import { Checklist } from './Checklist.tsx';
import { NumberSeriesTab } from './NumberSeriesTab.tsx';
import { SchoolTab } from './SchoolTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';

/** /school-erp/academic/organizational-master: the school itself, and how it is organised. */
export function OrganizationalMasterPage() {
  const { t } = useLingui();
  const tabs = [
    { key: 'school', title: t`School`, body: <SchoolTab /> },
    ...organizationalMasters.map((master) => tabOf(master)),
    { key: 'number-series', title: t`Number series`, body: <NumberSeriesTab /> },
    { key: 'settings', title: t`Settings`, body: <SettingsTab /> },
  ];
  return <MastersPage title={t`Organizational Master`} tabs={tabs} above={<Checklist isFolded />} />;
}

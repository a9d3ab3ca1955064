import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { organizationalMasters } from '../contract/masters.ts';

/** /school-erp/academic/organizational-master: the school as an organisation. */
export function OrganizationalMasterPage() {
  const { t } = useLingui();
  return <MastersPage title={t`Organizational Master`} tabs={organizationalMasters.map((master) => tabOf(master))} />;
}

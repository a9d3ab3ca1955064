import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { tagMaster, tagMasters } from '../contract/masters.ts';
import { TagTab } from './TagTab.tsx';

/** /school-erp/configuration/tag-master */
export function TagMasterPage() {
  const { t } = useLingui();
  const tabs = tagMasters.map((master) => tabOf(master, master === tagMaster ? <TagTab /> : undefined));
  return <MastersPage title={t`Tag Master`} tabs={tabs} />;
}

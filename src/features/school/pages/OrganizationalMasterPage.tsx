import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { organizationalMasters } from '../contract/masters.ts';
import { schoolPages } from '../contract/pages.ts';
import { LanguagesTab } from './LanguagesTab.tsx';
import { NumberSeriesTab } from './NumberSeriesTab.tsx';
import { SchoolTab } from './SchoolTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { TextMessagesTab } from './TextMessagesTab.tsx';

/** /school-erp/academic/organizational-master: the school itself, and how it is organised. */
export function OrganizationalMasterPage() {
  const bodies = {
    ...listsOf(organizationalMasters),
    school: <SchoolTab />,
    'number-series': <NumberSeriesTab />,
    'text-message': <TextMessagesTab />,
    language: <LanguagesTab />,
    settings: <SettingsTab />,
  };
  return <MastersPage page={schoolPages[0]} bodies={bodies} />;
}

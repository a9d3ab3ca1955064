import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { tagMasters } from '../contract/masters.ts';
import { tagPages } from '../contract/pages.ts';
import { TagTab } from './TagTab.tsx';

/** /school-erp/configuration/tag-master */
export const TagMasterPage = () => (
  <MastersPage page={tagPages[0]} bodies={{ ...listsOf(tagMasters), tag: <TagTab /> }} />
);
